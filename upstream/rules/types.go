package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

var simpleTypes = map[string]*cel.Type{
	"bool":                      cel.BoolType,
	"int":                       cel.IntType,
	"uint":                      cel.UintType,
	"double":                    cel.DoubleType,
	"string":                    cel.StringType,
	"bytes":                     cel.BytesType,
	"dyn":                       cel.DynType,
	"any":                       cel.AnyType,
	"null":                      cel.NullType,
	"type":                      cel.TypeType,
	"duration":                  cel.DurationType,
	"google.protobuf.Duration":  cel.DurationType,
	"timestamp":                 cel.TimestampType,
	"google.protobuf.Timestamp": cel.TimestampType,
	"wrapper(bool)":             cel.NullableType(cel.BoolType),
	"wrapper(int)":              cel.NullableType(cel.IntType),
	"wrapper(uint)":             cel.NullableType(cel.UintType),
	"wrapper(double)":           cel.NullableType(cel.DoubleType),
	"wrapper(string)":           cel.NullableType(cel.StringType),
	"wrapper(bytes)":            cel.NullableType(cel.BytesType),
	"net.IP":                    apiservercel.IPType,
	"net.CIDR":                  apiservercel.CIDRType,
	"kubernetes.URL":            apiservercel.URLType,
	"kubernetes.Quantity":       apiservercel.QuantityType,
}

// parseType reads a type as upstream prints it, such as map(string, list(int)).
func parseType(text string) (*cel.Type, error) {
	text = strings.TrimSpace(text)
	if simple, ok := simpleTypes[text]; ok {
		return simple, nil
	}
	constructor, rest, found := strings.Cut(text, "(")
	if !found || !strings.HasSuffix(rest, ")") {
		return nil, fmt.Errorf("unknown type %q", text)
	}
	var parameters []*cel.Type
	for _, part := range split(strings.TrimSuffix(rest, ")")) {
		parameter, err := parseType(part)
		if err != nil {
			return nil, err
		}
		parameters = append(parameters, parameter)
	}
	switch {
	case constructor == "list" && len(parameters) == 1:
		return cel.ListType(parameters[0]), nil
	case constructor == "optional_type" && len(parameters) == 1:
		return cel.OptionalType(parameters[0]), nil
	case constructor == "map" && len(parameters) == 2:
		return cel.MapType(parameters[0], parameters[1]), nil
	}
	return nil, fmt.Errorf("unknown type %q", text)
}

// split separates the parameters of a type.
func split(text string) []string {
	depth, begin := 0, 0
	var parts []string
	for i, letter := range text {
		switch letter {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, text[begin:i])
				begin = i + 1
			}
		}
	}
	return append(parts, text[begin:])
}
