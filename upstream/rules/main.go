// Crdible-rules answers questions about validation rules with upstream's own
// code: the parser, checker and evaluator of cel-go in Kubernetes' environment,
// the binding to schemas, the estimates, and the validation of objects and
// definitions. It reads a JSON object per line and answers each with one, in
// order. The README describes requests and answers.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/component-base/version"
)

func main() {
	golden := flag.Bool("golden", false, `print {"request":…,"answer":…} for each request, with -texts {"text":…,"answer":…}`)
	texts := flag.String("texts", "", "read expressions, one a line, as requests of this `operation`; after #! are fields of the requests below, after # comments")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, "Answers questions about validation rules, a JSON object per line, with upstream's own code.\n\n"+
			"Usage: crdible-rules [flags] < REQUESTS\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	s := newServer()
	print := s.answer
	if *golden {
		print = s.golden
	}
	requests := eachLine
	if *texts != "" {
		requests = func(input *bufio.Reader, use func([]byte) error) error { return eachText(input, *texts, use) }
		if *golden {
			print = s.goldenText
		}
	}
	if err := serve(os.Stdin, os.Stdout, requests, print); err != nil {
		fmt.Fprintln(os.Stderr, "crdible-rules:", err)
		os.Exit(1)
	}
}

// requestSource passes each request of the input on.
type requestSource func(input *bufio.Reader, use func(line []byte) error) error

// serve prints a line for each request.
func serve(input io.Reader, output io.Writer, requests requestSource, print func(line []byte) []byte) error {
	reader := bufio.NewReaderSize(input, 1<<20)
	writer := bufio.NewWriterSize(output, 1<<20)
	err := requests(reader, func(line []byte) error {
		if _, err := writer.Write(append(print(line), '\n')); err != nil {
			return err
		}
		// Who waits for this answer before the next question gets it.
		if reader.Buffered() == 0 {
			return writer.Flush()
		}
		return nil
	})
	return errors.Join(err, writer.Flush())
}

func eachLine(input *bufio.Reader, use func([]byte) error) error {
	for {
		line, err := input.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := use(text); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// eachText makes a request of each line that is neither blank nor a comment; the
// blanks of an expression are part of it. A line that begins with #! has a JSON
// object, whose members every request below it has, up to the next such line.
func eachText(input *bufio.Reader, operation string, use func([]byte) error) error {
	common := map[string]json.RawMessage{}
	for {
		line, err := input.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		fields, found := strings.CutPrefix(line, "#!")
		switch {
		case found:
			common = map[string]json.RawMessage{}
			if err := json.Unmarshal([]byte(fields), &common); err != nil {
				return fmt.Errorf("%s: %w", line, err)
			}
		case strings.HasPrefix(line, "#") || strings.TrimSpace(line) == "":
		default:
			members := map[string]json.RawMessage{"op": encode(operation), "text": encode(line)}
			for name, value := range common {
				// The syntax of an expression does not depend on values.
				if operation != "parse" || name == "compat" || name == "stored" {
					members[name] = value
				}
			}
			if err := use(encode(members)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

type server struct {
	environments map[string]*bound
}

func newServer() *server {
	return &server{environments: map[string]*bound{}}
}

// golden has the request beside its answer.
func (s *server) golden(line []byte) []byte {
	return []byte(fmt.Sprintf(`{"request":%s,"answer":%s}`, compact(line), s.settled(line)))
}

// goldenText has the text beside the answer: the rest of the request stands in
// the file of texts.
func (s *server) goldenText(line []byte) []byte {
	var asked struct{ Text string }
	_ = json.Unmarshal(line, &asked)
	return []byte(fmt.Sprintf(`{"text":%s,"answer":%s}`, encode(asked.Text), s.settled(line)))
}

// walk is a macro that may walk a map, whose order is random.
var walk = regexp.MustCompile(`\.(all|exists|exists_one|existsOne|filter|map|transform[A-Za-z]*)\(`)

// repetitions is how often a request is asked again. Maps of two entries are in
// either order, each time anew: so often the same answer is no coincidence.
func repetitions(request []byte) int {
	if walk.Match(request) {
		return 24
	}
	return 2
}

// settled is an answer without what differs when it is asked again: upstream
// walks maps in the random order of Go. What differs is named in varies.
func (s *server) settled(line []byte) []byte {
	first := s.answer(line)
	var members map[string]json.RawMessage
	varies := []string{}
	for range repetitions(line) {
		again := s.answer(line)
		if bytes.Equal(first, again) {
			continue
		}
		if members == nil {
			_ = json.Unmarshal(first, &members)
		}
		var others map[string]json.RawMessage
		_ = json.Unmarshal(again, &others)
		for name := range members {
			if !slices.Contains(varies, name) && !bytes.Equal(members[name], others[name]) {
				varies = append(varies, name)
			}
		}
		for name := range others {
			if _, found := members[name]; !found && !slices.Contains(varies, name) {
				varies = append(varies, name)
			}
		}
	}
	if len(varies) == 0 {
		return first
	}
	for _, name := range varies {
		delete(members, name)
	}
	slices.Sort(varies)
	members["varies"] = encode(varies)
	return encode(members)
}

// answer never fails: what is wrong with a request is its answer, and so is a
// panic of upstream.
func (s *server) answer(line []byte) (result []byte) {
	var asked request
	defer func() {
		if reason := recover(); reason != nil {
			result = withID(asked.ID, encode(map[string]string{"panic": fmt.Sprint(reason)}))
		}
	}()
	decoder := json.NewDecoder(bytes.NewReader(line))
	// A misspelt field would silently ask something else.
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&asked)
	var answered any
	if err == nil {
		answered, err = s.operate(&asked)
	}
	if err != nil {
		answered = map[string]string{"bad": err.Error()}
	}
	return withID(asked.ID, encode(answered))
}

func (s *server) operate(asked *request) (any, error) {
	switch asked.Op {
	case "parse":
		return s.parse(asked)
	case "compile", "eval":
		return s.rule(asked)
	case "expression":
		return s.expression(asked)
	case "rules":
		return s.rules(asked)
	case "object":
		return object(asked)
	case "definition":
		return definition(asked)
	case "functions":
		return s.functions(asked)
	case "version":
		return versions(), nil
	}
	return nil, fmt.Errorf("there is no operation %q", asked.Op)
}

func versions() map[string]string {
	linked := map[string]string{
		"kubernetes": version.Get().GitVersion,
		"compat":     environment.DefaultCompatibilityVersion().String(),
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "github.com/google/cel-go" {
				linked["celgo"] = module.Version
			}
		}
	}
	return linked
}

// withID adds the request's id to its answer, in front.
func withID(id json.RawMessage, answer []byte) []byte {
	if len(id) == 0 {
		return answer
	}
	rest := strings.TrimPrefix(string(answer), "{")
	if rest != "}" {
		rest = "," + rest
	}
	return []byte(`{"id":` + string(compact(id)) + rest)
}

func encode(value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// compact removes the spaces, or returns what is not JSON as a string of it.
func compact(line []byte) []byte {
	var text bytes.Buffer
	if err := json.Compact(&text, line); err != nil {
		return encode(string(line))
	}
	return text.Bytes()
}
