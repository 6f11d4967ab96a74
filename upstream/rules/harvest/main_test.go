package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestExpressions(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{
		"a_test.go": "package a\nimport \"fmt\"\nvar x = `1 +` + (\" 2\\n\")\nvar y = struct{ a string `tag` }{a: \"3\"}\n",
		"b.go":      "package a\nvar z = \"not a test\"\n",
		"c.textproto": "test {\n  name: \"n\"\n  expr: \"\\\"a\\\" + \\'\\\\x\\101\\x41\\n\"\n" +
			"        '\\u00e9'\n  value { string_value: \"b\" }\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := expressions(folder)
	expected := []string{"1 + 2\n", "3", "\"a\" + '\\xAA\né"}
	if err != nil || !slices.Equal(found, expected) {
		t.Errorf("%q, %v", found, err)
	}
}
