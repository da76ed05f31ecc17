//go:build !js

package web

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"earthgym/env/spelling"
)

// Labels are the texts of the pages in English, in alphabetical order: what a catalogue of words in another language may
// have below [page]. In braces stand places, which are filled.
func Labels() ([]string, error) {
	patterns := map[string][]*regexp.Regexp{
		".js": {regexp.MustCompile(`\b(?:tr|lost)\("([^"]+)"`)},
		".html": {
			regexp.MustCompile(`>([^<>]*[A-Za-z][^<>]*)<`),
			regexp.MustCompile(`\b(?:title|aria-label|placeholder|data-empty)="([^"]*[A-Za-z][^"]*)"`),
		},
	}
	var labels []string
	err := fs.WalkDir(page, "page", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(page, path)
		if err != nil {
			return err
		}
		for end, list := range patterns {
			if !strings.HasSuffix(path, end) {
				continue
			}
			for _, pattern := range list {
				for _, m := range pattern.FindAllSubmatch(b, -1) {
					if text := strings.TrimSpace(string(m[1])); text != "earthgym" {
						labels = append(labels, text)
					}
				}
			}
		}
		return nil
	})
	slices.Sort(labels)
	return slices.Compact(labels), err
}

var place = regexp.MustCompile(`\{\w+\}`)

// CheckLabels says what is wrong with other words for the pages: texts that no page has, or places that are not filled.
func CheckLabels(labels map[string]string) error {
	own, err := Labels()
	if err != nil {
		return err
	}
	for text, other := range labels {
		if !slices.Contains(own, text) {
			if near := spelling.Nearest(text, own); near != "" {
				return fmt.Errorf("page: there is no %q on any page: did you mean %q?", text, near)
			}
			return fmt.Errorf("page: there is no %q on any page", text)
		}
		for _, p := range place.FindAllString(other, -1) {
			if !strings.Contains(text, p) {
				return fmt.Errorf("page: %q: nothing fills %s", text, p)
			}
		}
	}
	return nil
}
