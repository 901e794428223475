package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
)

func main() {
	chosen := map[string]bool{}
	for _, name := range os.Args[2:] {
		chosen[name] = true
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	err := EachVector(os.Args[1], chosen, func(v Vector) {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%d\t%08x\n", v.ID, v.Rule, v.Document, v.Expected,
			strings.Join(v.Needs, ","), v.Reading, len(v.Text), crc32.ChecksumIEEE(v.Text))
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
