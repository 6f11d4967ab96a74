package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func create(t *testing.T) *Workspace {
	t.Helper()
	space, err := Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return space
}

func TestOnlyTheUserHasAccess(t *testing.T) {
	info, err := os.Stat(create(t).Path(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != 0o700 {
		t.Errorf("permissions = %v, want 0700", got)
	}
}

func TestCreateReturnsAnAbsolutePath(t *testing.T) {
	t.Chdir(t.TempDir())
	space, err := Create(".")
	if err != nil {
		t.Fatal(err)
	}
	if path := space.Path("kubeconfig"); !filepath.IsAbs(path) {
		t.Errorf("path = %q, want an absolute path", path)
	}
}

func TestOpenFindsACreatedWorkspace(t *testing.T) {
	created := create(t)
	opened, err := Open(created.Path(""))
	if err != nil {
		t.Fatal(err)
	}
	if opened.Path("x") != created.Path("x") {
		t.Errorf("opened %q, created %q", opened.Path("x"), created.Path("x"))
	}
}

func TestOpenRefusesOtherDirectories(t *testing.T) {
	for _, dir := range []string{"", "/", t.TempDir(), prefix + "relative", filepath.Join(t.TempDir(), prefix+"absent")} {
		if _, err := Open(dir); err == nil {
			t.Errorf("Open(%q) succeeded", dir)
		}
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	space := create(t)
	if err := os.MkdirAll(space.Path("etcd/member/wal"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := space.write("etcd/member/wal/0", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := space.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(space.Path("")); !os.IsNotExist(err) {
		t.Errorf("after Remove: %v, want a missing directory", err)
	}
	if err := space.Remove(); err != nil {
		t.Errorf("second Remove: %v", err)
	}
}

func TestLastLines(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for name, test := range map[string]struct {
		content string
		count   int
		want    []string
	}{
		"empty":                             {"", 3, nil},
		"fewer than requested":              {"a\nb\n", 3, []string{"a", "b"}},
		"more than requested":               {"a\nb\nc\nd\n", 3, []string{"b", "c", "d"}},
		"line without an end":               {"a\nb", 1, []string{"b"}},
		"blank line in the middle":          {"a\n\nb\n", 2, []string{"", "b"}},
		"no incomplete line of a large log": {strings.Repeat(long+"\n", 100), 100, slices.Repeat([]string{long}, 65)},
	} {
		t.Run(name, func(t *testing.T) {
			space := create(t)
			if err := space.write("log", []byte(test.content)); err != nil {
				t.Fatal(err)
			}
			got, err := space.LastLines("log", test.count)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %d lines %.80q, want %d lines %.80q", len(got), got, len(test.want), test.want)
			}
		})
	}
}
