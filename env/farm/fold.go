package farm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"earthgym/env/disk"
)

// fold packs files and folders below a folder, but for locks and what a share has of its own.
func fold(dir string, names []string) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == folderName {
				return fs.SkipDir
			}
			if err != nil || !d.Type().IsRegular() || d.Name() == disk.LockFile {
				return err
			}
			inside, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			content, err := disk.ReadFile(path, mostText)
			if err != nil {
				return err
			}
			head := &tar.Header{Name: filepath.ToSlash(inside), Mode: 0o644, Size: int64(len(content))}
			if err := t.WriteHeader(head); err != nil {
				return err
			}
			_, err = t.Write(content)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	err := errors.Join(t.Close(), z.Close())
	return b.Bytes(), err
}

// unfold writes what was folded below a folder: the named files and folders, and nothing else.
func unfold(dir string, names []string, content []byte) error {
	z, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return err
	}
	t := tar.NewReader(io.LimitReader(z, mostText))
	for {
		head, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(head.Name)
		named := func(top string) bool {
			return name == top || top == "." || strings.HasPrefix(name, top+string(filepath.Separator))
		}
		if head.Typeflag != tar.TypeReg || !filepath.IsLocal(name) || !slices.ContainsFunc(names, named) {
			return fmt.Errorf("%q was not left by it", head.Name)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		err = disk.WriteFile(to, func(w io.Writer) error { _, err := io.Copy(w, t); return err })
		if err != nil {
			return err
		}
	}
}
