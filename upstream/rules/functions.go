package main

import (
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// overload is one of the signatures of a function.
type overload struct {
	Overload   string   `json:"overload"`
	Member     bool     `json:"member,omitempty"`
	NonStrict  bool     `json:"nonStrict,omitempty"`
	Arguments  []string `json:"arguments"`
	Result     string   `json:"result"`
	Parameters []string `json:"parameters,omitempty"`
}

type macro struct {
	Name   string `json:"name"`
	Member bool   `json:"member,omitempty"`
	// As upstream keys it: name, number of arguments or *, and whether it is a method.
	Key string `json:"key"`
}

// functions lists what an environment declares.
func (s *server) functions(asked *request) (any, error) {
	at, err := s.ofSyntax(asked)
	if err != nil {
		return nil, err
	}
	declared := map[string][]overload{}
	for name, function := range at.env.Functions() {
		for _, one := range function.OverloadDecls() {
			declared[name] = append(declared[name], overload{
				Overload:   one.ID(),
				Member:     one.IsMemberFunction(),
				NonStrict:  one.IsNonStrict(),
				Arguments:  typeNames(one.ArgTypes()),
				Result:     cel.FormatCELType(one.ResultType()),
				Parameters: one.TypeParams(),
			})
		}
	}
	answered := map[string]any{"functions": declared}
	// Since cel-go 0.26.
	if env, ok := any(at.env).(interface{ Macros() []cel.Macro }); ok {
		macros := []macro{}
		for _, one := range env.Macros() {
			macros = append(macros, macro{Name: one.Function(), Member: one.IsReceiverStyle(), Key: one.MacroKey()})
		}
		slices.SortFunc(macros, func(a, b macro) int { return strings.Compare(a.Key, b.Key) })
		answered["macros"] = macros
	}
	return answered, nil
}

func typeNames(all []*types.Type) []string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = cel.FormatCELType(one)
	}
	return names
}
