// Command pack writes what the page without a server finds beside itself (make site): the covers of the games and their
// pictures into one folder, and the networks that come with the program, packed, into another.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"earthgym/agents/shipped"
	"earthgym/cmd/earthgym/web"
	"earthgym/games"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack SITE NETWORKS")
		os.Exit(2)
	}
	err := covers(os.Args[1])
	for _, game := range shipped.Games() {
		if err == nil {
			err = write(os.Args[2], game)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// touched is what a board has to be pointed at, which a picture does without.
var touched = regexp.MustCompile(`(?s)<g data-actions="[^"]*">.*?</g>\n`)

func covers(folder string) error {
	all := web.Covers()
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "covers.json"), text, 0o644)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, "covers"), 0o755)
	}
	if err != nil {
		return err
	}
	for _, c := range all {
		svg, err := games.Picture(c.Game)
		if err != nil {
			return err
		}
		svg = touched.ReplaceAll(svg, nil)
		if err := os.WriteFile(filepath.Join(folder, "covers", c.Game+".svg"), svg, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func write(folder, game string) error {
	c, err := shipped.Network(game)
	if err != nil {
		return err
	}
	packed, err := shipped.Pack(c)
	if err != nil {
		return fmt.Errorf("%s: %w", game, err)
	}
	return os.WriteFile(filepath.Join(folder, game+".packed"), packed, 0o644)
}
