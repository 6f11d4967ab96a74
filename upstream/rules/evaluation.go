package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	celschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// evaluation is what upstream says of a rule or an expression. It has issues if
// the text was refused by the parser, the checker or a validator; refused if by
// a later stage: a failing constant, for example.
type evaluation struct {
	Issues  []issue `json:"issues,omitempty"`
	Refused string  `json:"refused,omitempty"`
	*compiled
	*result
}

type compiled struct {
	Type        string             `json:"type"`
	UsesOldSelf bool               `json:"usesOldSelf"`
	Estimate    *estimate          `json:"estimate,omitempty"`
	Occurrences uint64             `json:"occurrences,omitempty"`
	Overloads   map[int64][]string `json:"overloads"`
	AST         *node              `json:"ast,omitempty"`
}

type estimate struct {
	Min uint64 `json:"min"`
	Max uint64 `json:"max"`
}

type result struct {
	Value     any     `json:"value,omitempty"`
	Error     string  `json:"error,omitempty"`
	ErrorNode int64   `json:"errorNode,omitempty"`
	Spent     *uint64 `json:"spent,omitempty"`
}

// rule compiles a rule of a schema, and evaluates it if asked to.
func (s *server) rule(asked *request) (any, error) {
	at, err := s.ofSchema(asked)
	if err != nil {
		return nil, err
	}
	if at.refusal != "" {
		return evaluation{Refused: at.refusal}, nil
	}
	sizes := &library.CostEstimator{SizeEstimator: &schemaSizes{at.declared}}
	answered, program := compile(at.env, asked, sizes)
	if answered.compiled != nil {
		answered.Occurrences = occurrences(at.declared)
	}
	if asked.Op == "compile" || program == nil {
		return answered, nil
	}

	schema := at.structural
	if asked.Root {
		schema = model.WithTypeAndObjectMeta(schema)
	}
	variables := map[string]any{}
	for name, text := range map[string]json.RawMessage{"self": asked.Self, "oldSelf": asked.OldSelf} {
		if len(text) == 0 {
			continue
		}
		var value any
		if err := utiljson.Unmarshal(text, &value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		variables[name] = celschema.UnstructuredToVal(value, schema)
	}
	if asked.OptionalOldSelf {
		if old, given := variables["oldSelf"]; given {
			variables["oldSelf"] = types.OptionalOf(old.(ref.Val))
		} else {
			variables["oldSelf"] = types.OptionalNone
		}
	}
	answered.result = run(program, variables)
	return answered, nil
}

// expression evaluates an expression with given variables, if all have a value.
func (s *server) expression(asked *request) (any, error) {
	at, err := s.ofVariables(asked)
	if err != nil {
		return nil, err
	}
	answered, program := compile(at.env, asked, &library.CostEstimator{SizeEstimator: statedSizes(asked.Sizes)})
	if program == nil {
		return answered, nil
	}
	variables := map[string]any{}
	for name, text := range asked.Variables {
		var value any
		if err := utiljson.Unmarshal(text, &value); err != nil {
			return nil, fmt.Errorf("variables.%s: %w", name, err)
		}
		variables[name] = value
	}
	for name, text := range asked.Values {
		value, err := untagged(text)
		if err != nil {
			return nil, fmt.Errorf("values.%s: %w", name, err)
		}
		variables[name] = value
	}
	for name := range asked.Declared {
		if _, given := variables[name]; !given {
			return answered, nil
		}
	}
	answered.result = run(program, variables)
	return answered, nil
}

// compile does what upstream does with the text of a rule, except that any type
// passes. There is no program if it was refused.
func compile(env *cel.Env, asked *request, sizes *library.CostEstimator) (*evaluation, cel.Program) {
	ast, issues := env.Compile(asked.Text)
	if issues != nil {
		return &evaluation{Issues: listed(issues)}, nil
	}
	tree := ast.NativeRep()
	known := &compiled{Type: cel.FormatCELType(ast.OutputType()), Overloads: map[int64][]string{}}
	for id, reference := range tree.ReferenceMap() {
		if reference.Name == "oldSelf" {
			known.UsesOldSelf = true
		}
		if len(reference.OverloadIDs) > 0 {
			known.Overloads[id] = slices.Sorted(slices.Values(reference.OverloadIDs))
		}
	}
	if asked.Checked {
		known.AST = (&printer{tree: tree}).node(tree.Expr())
	}
	answered := &evaluation{compiled: known}
	program, err := env.Program(ast,
		cel.CostLimit(celconfig.PerCallLimit),
		cel.CostTracking(sizes),
		cel.InterruptCheckFrequency(celconfig.CheckFrequency),
	)
	if err != nil {
		answered.Refused = "program instantiation failed: " + err.Error()
		return answered, nil
	}
	cost, err := env.EstimateCost(ast, sizes)
	if err != nil {
		answered.Refused = "cost estimation failed: " + err.Error()
		return answered, nil
	}
	known.Estimate = &estimate{Min: cost.Min, Max: cost.Max}
	return answered, program
}

func run(program cel.Program, variables map[string]any) *result {
	value, details, err := program.ContextEval(context.Background(), variables)
	answered := &result{}
	if details != nil {
		answered.Spent = details.ActualCost()
	}
	if err != nil {
		answered.Error = err.Error()
		var placed interface{ NodeID() int64 }
		if errors.As(err, &placed) {
			answered.ErrorNode = placed.NodeID()
		}
		return answered
	}
	answered.Value = tagged(value)
	return answered
}
