// Package workspace keeps all files of one run in one temporary directory, so
// that removing it leaves nothing behind.
package workspace

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// prefix marks the directories that this program may remove.
const prefix = "crdible-upstream-"

// Workspace is the temporary directory of one run.
type Workspace struct {
	dir string
}

// Create creates a new workspace inside parent, or in the system's temporary
// directory if parent is empty. Only the current user can read it, because it
// holds tokens and private keys.
func Create(parent string) (*Workspace, error) {
	dir, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, err
	}
	// The path is printed, and must be valid in any working directory.
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	return &Workspace{dir: absolute}, nil
}

// Open returns the workspace that Create created at dir. It refuses any other
// directory, because a workspace is later removed with all its contents.
func Open(dir string) (*Workspace, error) {
	if !filepath.IsAbs(dir) || !strings.HasPrefix(filepath.Base(dir), prefix) {
		return nil, fmt.Errorf("%q is not a directory created by crdible-upstream", dir)
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return &Workspace{dir: dir}, nil
}

// Path returns the absolute path of a file or directory of the workspace.
func (w *Workspace) Path(name string) string {
	return filepath.Join(w.dir, name)
}

// Remove deletes the workspace. Another process may still be writing to it, so
// it retries for a second if the directory is not empty.
func (w *Workspace) Remove() error {
	deadline := time.Now().Add(time.Second)
	for {
		err := os.RemoveAll(w.dir)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// LastLines returns the last lines of a text file of the workspace, at most
// count of them and at most 64 KiB.
func (w *Workspace) LastLines(name string, count int) ([]string, error) {
	file, err := os.Open(w.Path(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()

	const limit = 64 << 10
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	start := max(0, size-limit)
	text, err := io.ReadAll(io.NewSectionReader(file, start, size-start))
	if err != nil {
		return nil, err
	}
	if start > 0 {
		// The first line is incomplete.
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	text = bytes.TrimRight(text, "\n")
	if len(text) == 0 {
		return nil, nil
	}
	lines := strings.Split(string(text), "\n")
	return lines[max(0, len(lines)-count):], nil
}

func (w *Workspace) write(name string, content []byte) error {
	return os.WriteFile(w.Path(name), content, 0o600)
}
