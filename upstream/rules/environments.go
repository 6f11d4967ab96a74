package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// selfType is the type of self. Upstream appends a random number, so that no
// rule uses the name.
const selfType = "selfType"

// bound is an environment, with what its variables were made of.
type bound struct {
	env        *cel.Env
	structural *structuralschema.Structural
	declared   *apiservercel.DeclType
	// Why there is no environment.
	refusal string
}

// A client asks much of one schema before it turns to the next.
const keptEnvironments = 500

func (s *server) kept(key string, build func() (*bound, error)) (*bound, error) {
	if found, ok := s.environments[key]; ok {
		return found, nil
	}
	made, err := build()
	if err != nil {
		return nil, err
	}
	if len(s.environments) >= keptEnvironments {
		clear(s.environments)
	}
	s.environments[key] = made
	return made, nil
}

// environmentSet calls MustBaseEnvSet, which has a second parameter, strictCost,
// in 1.33: the server passes true.
func environmentSet(compat *version.Version) *environment.EnvSet {
	function := reflect.ValueOf(environment.MustBaseEnvSet)
	arguments := []reflect.Value{reflect.ValueOf(compat)}
	if function.Type().NumIn() == 2 {
		arguments = append(arguments, reflect.ValueOf(true))
	}
	return function.Call(arguments)[0].Interface().(*environment.EnvSet)
}

func baseSet(asked *request) (*environment.EnvSet, error) {
	if asked.Compat == "" {
		return environmentSet(environment.DefaultCompatibilityVersion()), nil
	}
	compat, err := version.ParseGeneric(asked.Compat)
	if err != nil {
		return nil, err
	}
	return environmentSet(compat), nil
}

func selected(asked *request, set *environment.EnvSet) *cel.Env {
	if asked.Stored {
		return set.StoredExpressionsEnv()
	}
	return set.NewExpressionsEnv()
}

func structural(text json.RawMessage) (*structuralschema.Structural, error) {
	var external apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal(text, &external); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&external, &internal, nil); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	made, err := structuralschema.NewStructural(&internal)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return made, nil
}

// ofSchema is the environment of a rule at a node, as schema/cel/compilation.go
// makes it.
func (s *server) ofSchema(asked *request) (*bound, error) {
	key := fmt.Sprintf("%s %t %t %t %s", asked.Compat, asked.Stored, asked.Root, asked.OptionalOldSelf, asked.Schema)
	return s.kept(key, func() (*bound, error) {
		schema, err := structural(asked.Schema)
		if err != nil {
			return nil, err
		}
		declared := model.SchemaDeclType(schema, asked.Root)
		if declared == nil {
			return &bound{refusal: "the schema has no type for rules"}, nil
		}
		declared = declared.MaybeAssignTypeName(selfType)
		oldSelf := declared.CelType()
		if asked.OptionalOldSelf {
			oldSelf = types.NewOptionalType(oldSelf)
		}
		set, err := baseSet(asked)
		if err != nil {
			return nil, err
		}
		set, err = set.Extend(environment.VersionedOptions{
			IntroducedVersion: version.MajorMinor(1, 0),
			EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType()), cel.Variable("oldSelf", oldSelf)},
			DeclTypes:         []*apiservercel.DeclType{declared},
		})
		if err != nil {
			return &bound{refusal: err.Error()}, nil
		}
		return &bound{env: selected(asked, set), structural: schema, declared: declared}, nil
	})
}

// ofVariables is the environment of an expression without a schema.
func (s *server) ofVariables(asked *request) (*bound, error) {
	names := map[string]string{}
	for name := range asked.Variables {
		names[name] = "dyn"
	}
	for name := range asked.Values {
		names[name] = "dyn"
	}
	for name, text := range asked.Declared {
		names[name] = text
	}
	key := fmt.Sprintf("%s %t %s", asked.Compat, asked.Stored, encode(names))
	return s.kept(key, func() (*bound, error) {
		var variables []cel.EnvOption
		for name, text := range names {
			named, err := parseType(text)
			if err != nil {
				return nil, fmt.Errorf("declared.%s: %w", name, err)
			}
			variables = append(variables, cel.Variable(name, named))
		}
		set, err := baseSet(asked)
		if err != nil {
			return nil, err
		}
		env, err := selected(asked, set).Extend(variables...)
		if err != nil {
			return nil, err
		}
		return &bound{env: env}, nil
	})
}

// ofSyntax is the environment that remembers the calls of macros.
func (s *server) ofSyntax(asked *request) (*bound, error) {
	return s.kept(fmt.Sprintf("%s %t", asked.Compat, asked.Stored), func() (*bound, error) {
		set, err := baseSet(asked)
		if err != nil {
			return nil, err
		}
		env, err := selected(asked, set).Extend(cel.EnableMacroCallTracking())
		return &bound{env: env}, err
	})
}

// schemaSizes knows the sizes of values of a schema for the estimate. Upstream's
// sizeEstimator, in schema/cel/compilation.go, is not exported; this is the same.
type schemaSizes struct {
	root *apiservercel.DeclType
}

func (sizes *schemaSizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	path := element.Path()
	if len(path) == 0 {
		return nil
	}
	current := sizes.root
	// The first name is self.
	for _, name := range path[1:] {
		next := current.ElemType
		switch name {
		case "@items", "@values":
		case "@keys":
			next = current.KeyType
		default:
			field, ok := current.Fields[name]
			if !ok {
				return nil
			}
			next = field.Type
		}
		if next == nil {
			return nil
		}
		current = next
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(current.MaxElements)}
}

func (*schemaSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// statedSizes knows the sizes that a request states.
type statedSizes map[string][2]uint64

func (sizes statedSizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	bounds, ok := sizes[strings.Join(element.Path(), ".")]
	if !ok {
		return nil
	}
	return &checker.SizeEstimate{Min: bounds[0], Max: bounds[1]}
}

func (statedSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

// occurrences says how often a value of this size fits into a request: how often
// a rule may run below lists and maps without bounds.
func occurrences(declared *apiservercel.DeclType) uint64 {
	return uint64(celconfig.MaxRequestSizeBytes / (declared.MinSerializedSize + 1))
}
