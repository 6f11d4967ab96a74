// Harvest prints the expressions of upstream's own tests, as requests of
// crdible-rules: those of cel-spec, and each string of the tests of cel-go and of
// Kubernetes' rules. They are read from the module cache and are not part of this
// repository. A string that is not an expression is a test of syntax errors.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Where the tests are: folders of modules.
var sources = []struct{ module, folder string }{
	{"cel.dev/expr", "tests/simple/testdata"},
	{"github.com/google/cel-go", "parser"},
	{"github.com/google/cel-go", "checker"},
	{"github.com/google/cel-go", "interpreter"},
	{"github.com/google/cel-go", "cel"},
	{"github.com/google/cel-go", "ext"},
	{"k8s.io/apiserver", "pkg/cel"},
	{"k8s.io/apiextensions-apiserver", "pkg/apiserver/schema/cel"},
	{"k8s.io/apiextensions-apiserver", "pkg/apis/apiextensions/validation"},
}

// A longer string is a test of limits, or a certificate.
const longest = 4000

// Values for the names that the tests use most. Their types there differ, so some
// expressions become errors.
const variables = `{"self":{"a":"b","val1":1,"list":[1,2]},"oldSelf":{"a":"b","val1":2,"list":[1]},` +
	`"object":{"spec":{"replicas":1}},"oldObject":null,"this":{},"obj":{},"msg":{"a":{"b":1}},"input":"text","name":"n",` +
	`"foo":"bar","a":true,"b":false,"c":{"d":1},"d":1.5,"e":[],"f":1,"l":[1,2],"m":{"a":1,"b":2},"u":"","x":1,"y":2,"z":0}`

func main() {
	modules := flag.String("modfile", "go.mod", "the module `file` of a release")
	operations := flag.String("operations", "parse,expression", "the `operations` that each expression is a request of")
	flag.Parse()
	if err := harvest(*modules, strings.Split(*operations, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "harvest:", err)
		os.Exit(1)
	}
}

func harvest(modules string, operations []string) error {
	output := bufio.NewWriter(os.Stdout)
	seen := map[string]bool{}
	for _, source := range sources {
		folder, err := exec.Command("go", "list", "-modfile", modules, "-m", "-f", "{{.Dir}}", source.module).Output()
		if err != nil {
			return fmt.Errorf("go list -m %s: %w", source.module, err)
		}
		found, err := expressions(filepath.Join(strings.TrimSpace(string(folder)), source.folder))
		if err != nil {
			return err
		}
		for _, text := range found {
			if text == "" || len(text) > longest || seen[text] {
				continue
			}
			seen[text] = true
			for _, operation := range operations {
				request := map[string]any{"op": operation, "text": text}
				if operation == "expression" {
					request["variables"] = json.RawMessage(variables)
				}
				line, err := json.Marshal(request)
				if err != nil {
					return err
				}
				fmt.Fprintf(output, "%s\n", line)
			}
		}
	}
	return output.Flush()
}

func expressions(folder string) (found []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		var more []string
		switch {
		case strings.HasSuffix(path, ".textproto"):
			more, err = ofTextproto(path)
		case strings.HasSuffix(path, "_test.go"):
			more, err = ofGo(path)
		}
		found = append(found, more...)
		return err
	})
	return found, err
}

// ofGo returns the strings of a file, where + joins some.
func ofGo(path string) (found []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec, *ast.Field:
			return false
		case ast.Expr:
			if text, ok := constant(node); ok {
				found = append(found, text)
				return false
			}
		}
		return true
	})
	return found, nil
}

func constant(expression ast.Expr) (string, bool) {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		if expression.Kind == token.STRING {
			text, err := strconv.Unquote(expression.Value)
			return text, err == nil
		}
	case *ast.ParenExpr:
		return constant(expression.X)
	case *ast.BinaryExpr:
		left, isLeft := constant(expression.X)
		right, isRight := constant(expression.Y)
		return left + right, isLeft && isRight && expression.Op == token.ADD
	}
	return "", false
}

var (
	quoted     = `(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
	expression = regexp.MustCompile(`(?m)^\s*expr:\s*(` + quoted + `(?:\s*` + quoted + `)*)`)
	part       = regexp.MustCompile(quoted)
	escape     = regexp.MustCompile(`\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)`)
	letters    = map[byte]string{'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v"}
)

// ofTextproto returns what the field expr of the tests has; its strings may be
// written in parts.
func ofTextproto(path string) ([]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, field := range expression.FindAllSubmatch(content, -1) {
		var text []byte
		for _, one := range part.FindAll(field[1], -1) {
			text = slices.Concat(text, escape.ReplaceAllFunc(one[1:len(one)-1], unescaped))
		}
		found = append(found, string(text))
	}
	return found, nil
}

func unescaped(escape []byte) []byte {
	digits, base := string(escape[1:]), 8
	switch escape[1] {
	case 'x', 'u', 'U':
		digits, base = digits[1:], 16
	}
	if code, err := strconv.ParseUint(digits, base, 32); err == nil {
		if escape[1] == 'u' || escape[1] == 'U' {
			return []byte(string(rune(code)))
		}
		return []byte{byte(code)}
	}
	if letter, ok := letters[escape[1]]; ok {
		return []byte(letter)
	}
	return escape[1:]
}
