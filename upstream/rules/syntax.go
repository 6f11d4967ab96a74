package main

import (
	"slices"
	"sort"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
)

// issue is an error of the parser, the checker or a validator. Lines and columns
// begin with 1; an issue without a place has zero.
type issue struct {
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Node   int64  `json:"node,omitempty"`
	Text   string `json:"text"`
}

// listed has the issues in the order in which upstream prints them.
func listed(issues *cel.Issues) []issue {
	found := slices.Clone(issues.Errors())
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i].Location, found[j].Location
		return a.Line() < b.Line() || a.Line() == b.Line() && a.Column() < b.Column()
	})
	answered := make([]issue, len(found))
	for i, one := range found {
		answered[i] = placed(one)
	}
	return answered
}

func placed(one *common.Error) issue {
	line, column := one.Location.Line(), one.Location.Column()+1
	if line < 0 {
		line, column = 0, 0
	}
	return issue{Line: line, Column: column, Node: one.ExprID, Text: one.Message}
}

// parsed is the syntax tree of an expression, and the calls that macros replaced,
// by the id of the node that replaced it.
type parsed struct {
	Issues []issue         `json:"issues,omitempty"`
	AST    *node           `json:"ast,omitempty"`
	Macros map[int64]*node `json:"macros,omitempty"`
}

func (s *server) parse(asked *request) (any, error) {
	at, err := s.ofSyntax(asked)
	if err != nil {
		return nil, err
	}
	syntax, issues := at.env.Parse(asked.Text)
	if issues != nil && issues.Err() != nil {
		return parsed{Issues: listed(issues)}, nil
	}
	tree := syntax.NativeRep()
	printer := &printer{tree: tree}
	answered := parsed{AST: printer.node(tree.Expr()), Macros: map[int64]*node{}}
	for id, call := range tree.SourceInfo().MacroCalls() {
		answered.Macros[id] = printer.node(call)
	}
	return answered, nil
}

// node is a node of a syntax tree. Kind says which of the fields it has.
type node struct {
	ID int64 `json:"id"`
	// Where it begins and ends, in code points; both are the same where upstream
	// knows only the begin.
	At   []int32 `json:"at,omitempty"`
	Kind string  `json:"kind"`

	// Of a checked tree: the type, the overloads, and what a name stands for.
	Type      string   `json:"type,omitempty"`
	Overloads []string `json:"overloads,omitempty"`
	Reference string   `json:"reference,omitempty"`

	Value any `json:"value,omitempty"` // constant

	Name string `json:"name,omitempty"` // ident

	Operand *node   `json:"operand,omitempty"` // select
	Field   *string `json:"field,omitempty"`
	Test    bool    `json:"test,omitempty"`

	Function *string `json:"function,omitempty"` // call
	Target   *node   `json:"target,omitempty"`
	Args     []*node `json:"args,omitempty"`

	Elements []*node `json:"elements,omitempty"` // list
	Optional []int32 `json:"optional,omitempty"`

	Message string  `json:"message,omitempty"` // struct
	Entries []entry `json:"entries,omitempty"` // struct, map

	Range       *node  `json:"range,omitempty"` // comprehension
	Variable    string `json:"variable,omitempty"`
	Second      string `json:"second,omitempty"`
	Accumulator string `json:"accumulator,omitempty"`
	Init        *node  `json:"init,omitempty"`
	Condition   *node  `json:"condition,omitempty"`
	Step        *node  `json:"step,omitempty"`
	Result      *node  `json:"result,omitempty"`
}

// entry is one of a map, which has a key, or of a struct, which has a field.
type entry struct {
	ID       int64   `json:"id"`
	At       []int32 `json:"at,omitempty"`
	Key      *node   `json:"key,omitempty"`
	Field    string  `json:"field,omitempty"`
	Value    *node   `json:"value"`
	Optional bool    `json:"optional,omitempty"`
}

type printer struct {
	tree *ast.AST
}

func (p *printer) node(e ast.Expr) *node {
	printed := &node{ID: e.ID(), At: p.at(e.ID())}
	if p.tree.IsChecked() {
		if found, ok := p.tree.TypeMap()[e.ID()]; ok {
			printed.Type = cel.FormatCELType(found)
		}
		if found, ok := p.tree.ReferenceMap()[e.ID()]; ok {
			printed.Overloads = slices.Sorted(slices.Values(found.OverloadIDs))
			printed.Reference = found.Name
		}
	}
	switch e.Kind() {
	case ast.LiteralKind:
		printed.Kind = "constant"
		printed.Value = tagged(e.AsLiteral())
	case ast.IdentKind:
		printed.Kind = "ident"
		printed.Name = e.AsIdent()
	case ast.SelectKind:
		selection := e.AsSelect()
		field := selection.FieldName()
		printed.Kind = "select"
		printed.Operand, printed.Field, printed.Test = p.node(selection.Operand()), &field, selection.IsTestOnly()
	case ast.CallKind:
		call := e.AsCall()
		function := call.FunctionName()
		printed.Kind = "call"
		printed.Function, printed.Args = &function, p.nodes(call.Args())
		if call.IsMemberFunction() {
			printed.Target = p.node(call.Target())
		}
	case ast.ListKind:
		printed.Kind = "list"
		printed.Elements, printed.Optional = p.nodes(e.AsList().Elements()), e.AsList().OptionalIndices()
	case ast.MapKind:
		printed.Kind = "map"
		printed.Entries = p.entries(e.AsMap().Entries())
	case ast.StructKind:
		printed.Kind = "struct"
		printed.Message, printed.Entries = e.AsStruct().TypeName(), p.entries(e.AsStruct().Fields())
	case ast.ComprehensionKind:
		fold := e.AsComprehension()
		printed.Kind = "comprehension"
		printed.Range = p.node(fold.IterRange())
		printed.Variable, printed.Second, printed.Accumulator = fold.IterVar(), fold.IterVar2(), fold.AccuVar()
		printed.Init, printed.Condition = p.node(fold.AccuInit()), p.node(fold.LoopCondition())
		printed.Step, printed.Result = p.node(fold.LoopStep()), p.node(fold.Result())
	default:
		// A part of a macro's call that is a macro's call itself.
		printed.Kind = "elsewhere"
	}
	return printed
}

func (p *printer) nodes(all []ast.Expr) []*node {
	printed := make([]*node, len(all))
	for i, one := range all {
		printed[i] = p.node(one)
	}
	return printed
}

func (p *printer) entries(all []ast.EntryExpr) []entry {
	printed := make([]entry, len(all))
	for i, one := range all {
		printed[i] = entry{ID: one.ID(), At: p.at(one.ID())}
		switch one.Kind() {
		case ast.MapEntryKind:
			pair := one.AsMapEntry()
			printed[i].Key, printed[i].Value, printed[i].Optional = p.node(pair.Key()), p.node(pair.Value()), pair.IsOptional()
		case ast.StructFieldKind:
			field := one.AsStructField()
			printed[i].Field, printed[i].Value, printed[i].Optional = field.Name(), p.node(field.Value()), field.IsOptional()
		}
	}
	return printed
}

func (p *printer) at(id int64) []int32 {
	span, found := p.tree.SourceInfo().GetOffsetRange(id)
	if !found {
		return nil
	}
	return []int32{span.Start, span.Stop}
}
