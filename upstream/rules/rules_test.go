package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Each row is a request and a part of its answer.
var answers = []struct{ name, request, expected string }{
	{"a syntax tree has ids, places and the calls of macros",
		`{"op":"parse","text":"[1].all(x, true)"}`,
		`"macros":{"12":{"id":0,"kind":"call","function":"all","target":{"id":1,"at":[0,1],"kind":"list"`},
	{"a syntax error has a place",
		`{"op":"parse","text":"1 +\n"}`, `"issues":[{"line":2,"column":1,`},
	{"an issue has a place",
		`{"op":"compile","schema":{"type":"integer"},"text":"self == 'a'"}`,
		`{"issues":[{"line":1,"column":6,"node":2,"text":"found no matching overload for '_==_' applied to '(int, string)'"}]}`},
	{"a constant that fails is refused though it is not used",
		`{"op":"expression","text":"true ? 1 : int('x')"}`, `"refused":"program instantiation failed`},
	{"an error has a node and a cost",
		`{"op":"expression","text":"1/0"}`, `"error":"division by zero","errorNode":2,"spent":1}`},
	{"plain variables",
		`{"op":"expression","text":"[a, b, c]","variables":{"a":1,"b":1.0,"c":12345678901234567890}}`,
		`"value":{"list":[{"int":1},{"double":"1"},{"double":"1.2345678901234567e+19"}]}`},
	{"variables with tags and types",
		`{"op":"expression","text":"a[1u]","declared":{"a":"map(uint, list(bytes))"},` +
			`"values":{"a":{"map":[[{"uint":1},{"list":[{"bytes":"/w=="}]}]]}}}`,
		`{"type":"list(bytes)","usesOldSelf":false,"estimate":{"min":2,"max":2},"overloads":{"2":["index_map"]},"value":{"list":[{"bytes":"/w=="}]}`},
	{"stated sizes bound the estimate",
		`{"op":"expression","text":"x.contains('a')","declared":{"x":"string"},"sizes":{"x":[0,100]}}`,
		`"estimate":{"min":1,"max":11}`},
	{"a set ignores the order of what it is compared with",
		`{"op":"eval","schema":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},` +
			`"text":"self == ['b','a'] && ['b','a'] != self","self":["a","b"]}`,
		`"value":{"bool":true}`},
	{"an old value that is optional",
		`{"op":"eval","schema":{"type":"integer"},"optionalOldSelf":true,"text":"oldSelf","self":1}`,
		`{"type":"optional_type(int)","usesOldSelf":true,"estimate":{"min":1,"max":1},"occurrences":1572864,"overloads":{},"value":{"optional":[]},"spent":1}`},
	{"the name of a root",
		`{"op":"eval","schema":{"type":"object"},"root":true,"text":"self.metadata.name","self":{"metadata":{"name":"n"}}}`,
		`"value":{"string":"n"}`},
	{"a newer function in a rule that is stored",
		`{"op":"compile","schema":{"type":"string"},"compat":"1.30","stored":true,"text":"format.dns1123Label().validate(self).hasValue()"}`,
		`{"type":"bool"`},
	{"a newer function in a new rule",
		`{"op":"compile","schema":{"type":"string"},"compat":"1.30","text":"format.dns1123Label().validate(self).hasValue()"}`,
		`{"issues":[{"line":1,"column":1,"node":1,"text":"undeclared reference to 'format'`},
	{"rules of a node",
		`{"op":"rules","schema":{"type":"integer","x-kubernetes-validations":[{"rule":" "},{"rule":"self > 0","messageExpression":"1"}]}}`,
		`{"rules":[{"blank":true,"usesOldSelf":false,"estimate":0,"occurrences":0},{"usesOldSelf":false,"estimate":2,"occurrences":1572864,` +
			`"messageError":{"type":"RuleInvalid","text":"messageExpression must evaluate to a string"}}]}`},
	{"rules of an object",
		`{"op":"object","schema":{"type":"object","properties":{"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 0","message":"m"}]}}},"object":{"a":0}}`,
		`{"causes":[{"reason":"FieldValueInvalid","field":"a","text":"Invalid value: `},
	{"rules of an object that did not change",
		`{"op":"object","schema":{"type":"object","properties":{"a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 0","message":"m"}]}}},"object":{"a":0},"oldObject":{"a":0}}`,
		`{"causes":[],"spent":2,"warnings":["a: Invalid value: `},
	{"a definition",
		`{"op":"definition","definition":` + fmt.Sprintf(widgets, "self.x") + `}`,
		`{"causes":[{"reason":"FieldValueInvalid","field":"spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule"`},
	{"a definition that is written again",
		`{"op":"definition","definition":` + fmt.Sprintf(widgets, "true") + `,"oldDefinition":` + fmt.Sprintf(widgets, "false") + `}`,
		`{"causes":[]}`},
	{"what is declared",
		`{"op":"functions"}`,
		`"!_":[{"overload":"logical_not","arguments":["bool"],"result":"bool"}]`},
	{"a panic of upstream is an answer",
		`{"op":"rules","schema":{"type":"object","additionalProperties":true,"x-kubernetes-validations":[{"rule":"true","fieldPath":".a.b"}]}}`,
		`{"panic":"`},
	{"the id comes back",
		`{"id":{"n":1},"op":"none"}`, `{"id":{"n":1},"bad":"there is no operation \"none\""}`},
	{"a misspelt field is refused",
		`{"op":"parse","txt":"1"}`, `{"bad":"json: unknown field \"txt\""}`},
}

const widgets = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"widgets.example.org"},` +
	`"spec":{"group":"example.org","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},` +
	`"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-validations":[{"rule":"%s"}]}}}]}}`

func TestAnswers(t *testing.T) {
	s := newServer()
	for _, row := range answers {
		t.Run(row.name, func(t *testing.T) {
			if answer := string(s.answer([]byte(row.request))); !strings.Contains(answer, row.expected) {
				t.Errorf("%s\nanswer   %s\nexpected %s", row.request, answer, row.expected)
			}
		})
	}
}

// The specification states costs that were measured with this program's
// prototype: 7n²+5n+2 of two nested macros, estimated and spent.
func TestCostOfNestedMacros(t *testing.T) {
	s := newServer()
	for _, n := range []int{1, 10, 300} {
		self := "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]"
		answer := s.answer([]byte(fmt.Sprintf(
			`{"op":"eval","schema":{"type":"array","maxItems":%d,"items":{"type":"integer"}},"text":"self.all(x, self.all(y, x + y >= 0))","self":%s}`, n, self)))
		var costs struct {
			Estimate estimate
			Spent    int
		}
		if err := json.Unmarshal(answer, &costs); err != nil {
			t.Fatal(err)
		}
		expected := 7*n*n + 5*n + 2
		if costs.Spent != expected || costs.Estimate.Max != uint64(expected) {
			t.Errorf("n = %d: expected %d, the answer is %s", n, expected, answer)
		}
	}
}

// Every value that a variable can have comes back as it was given.
func TestTags(t *testing.T) {
	for _, text := range []string{
		`{"null":null}`, `{"bool":true}`, `{"int":-9223372036854775808}`, `{"uint":18446744073709551615}`,
		`{"double":"-0"}`, `{"double":"NaN"}`, `{"double":"+Inf"}`, `{"double":"5e-324"}`, `{"double":"0.1"}`,
		`{"string":"é<>"}`, `{"broken":"/w=="}`, `{"bytes":"/w=="}`, `{"duration":-1}`,
		`{"timestamp":"2020-01-01T00:00:00.000000001+01:00"}`,
		`{"optional":[]}`, `{"optional":[{"optional":[{"int":1}]}]}`, `{"list":[]}`, `{"list":[{"null":null}]}`,
		`{"map":[[{"bool":true},{"int":1}],[{"string":"a"},{"map":[]}]]}`,
	} {
		value, err := untagged(json.RawMessage(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again := string(encode(tagged(value))); again != text {
			t.Errorf("%s became %s", text, again)
		}
	}
}

// Upstream walks maps in random order, so what it spends may differ.
func TestWhatVariesIsNotGolden(t *testing.T) {
	s := newServer()
	request := `{"op":"expression","text":"m.all(k, k == 'a')","variables":{"m":{"a":1,"b":2,"c":3,"d":4}}}`
	expected := `{"request":` + request + `,"answer":{"estimate":{"min":2,"max":18446744073709551615},` +
		`"overloads":{"11":["logical_and"],"5":["equals"],"9":["not_strictly_false"]},` +
		`"type":"bool","usesOldSelf":false,"value":{"bool":false},"varies":["spent"]}}`
	if printed := string(s.golden([]byte(request))); printed != expected {
		t.Errorf("%s", printed)
	}
}

func TestTexts(t *testing.T) {
	var requests []string
	source := "# comment\n1\n#! {\"variables\":{\"x\":1},\"compat\":\"1.35\"}\n\n  x + 1\n"
	for _, operation := range []string{"expression", "parse"} {
		err := eachText(bufio.NewReader(strings.NewReader(source)), operation, func(line []byte) error {
			requests = append(requests, string(line))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	expected := []string{
		`{"op":"expression","text":"1"}`,
		`{"compat":"1.35","op":"expression","text":"  x + 1","variables":{"x":1}}`,
		`{"op":"parse","text":"1"}`,
		`{"compat":"1.35","op":"parse","text":"  x + 1"}`,
	}
	if fmt.Sprint(requests) != fmt.Sprint(expected) {
		t.Errorf("%s", requests)
	}
}
