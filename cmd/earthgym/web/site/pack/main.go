// Command pack writes the networks that come with the program into a folder, packed for the page without a server
// (make site).
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"earthgym/agents/shipped"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pack FOLDER")
		os.Exit(2)
	}
	for _, game := range shipped.Games() {
		if err := write(os.Args[1], game); err != nil {
			fmt.Fprintln(os.Stderr, "pack:", err)
			os.Exit(1)
		}
	}
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
