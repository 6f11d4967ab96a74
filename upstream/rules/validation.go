package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	celschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

// compiledRule is what a definition is judged by.
type compiledRule struct {
	Blank       bool       `json:"blank,omitempty"`
	Error       *ruleError `json:"error,omitempty"`
	UsesOldSelf bool       `json:"usesOldSelf"`
	Estimate    uint64     `json:"estimate"`
	Occurrences uint64     `json:"occurrences"`
	FieldPath   string     `json:"fieldPath,omitempty"`

	MessageExpression bool       `json:"messageExpression,omitempty"`
	MessageError      *ruleError `json:"messageError,omitempty"`
	MessageEstimate   uint64     `json:"messageEstimate,omitempty"`
}

type ruleError struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// rules compiles the rules of a node.
func (s *server) rules(asked *request) (any, error) {
	schema, err := structural(asked.Schema)
	if err != nil {
		return nil, err
	}
	set, err := baseSet(asked)
	if err != nil {
		return nil, err
	}
	loader := celschema.NewExpressionsEnvLoader()
	if asked.Stored {
		loader = celschema.StoredExpressionsEnvLoader()
	}
	declared := model.SchemaDeclType(schema, asked.Root)
	results, err := celschema.Compile(schema, declared, celconfig.PerCallLimit, set, loader)
	if err != nil {
		return map[string]string{"refused": err.Error()}, nil
	}
	answered := make([]compiledRule, len(results))
	for i, one := range results {
		answered[i] = compiledRule{
			Blank:             one.Program == nil && one.Error == nil,
			Error:             stated(one.Error),
			UsesOldSelf:       one.UsesOldSelf,
			Estimate:          one.MaxCost,
			Occurrences:       one.MaxCardinality,
			FieldPath:         one.NormalizedRuleFieldPath,
			MessageExpression: one.MessageExpression != nil,
			MessageError:      stated(one.MessageExpressionError),
			MessageEstimate:   one.MessageExpressionMaxCost,
		}
	}
	return map[string]any{"rules": answered}, nil
}

func stated(err *apiservercel.Error) *ruleError {
	if err == nil {
		return nil
	}
	return &ruleError{Type: string(err.Type), Text: named(err.Detail)}
}

// The name of the type of self has a number, another one each time.
var numberedType = regexp.MustCompile(selfType + `[0-9]+`)

func named(text string) string {
	return numberedType.ReplaceAllString(text, selfType)
}

// cause is one of the errors of an object or definition.
type cause struct {
	Reason string `json:"reason"`
	Field  string `json:"field"`
	Text   string `json:"text"`
}

func causes(errs field.ErrorList) []cause {
	found := make([]cause, len(errs))
	for i, one := range errs {
		found[i] = cause{Reason: string(one.Type), Field: one.Field, Text: named(one.ErrorBody())}
	}
	return found
}

type warnings []string

func (w *warnings) AddWarning(_, text string) {
	*w = append(*w, named(text))
}

// object runs all rules of an object, as a create does, or as an update does if
// there is an old one.
func object(asked *request) (any, error) {
	schema, err := structural(asked.Schema)
	if err != nil {
		return nil, err
	}
	var current, old any
	if err := utiljson.Unmarshal(asked.Object, &current); err != nil {
		return nil, fmt.Errorf("object: %w", err)
	}
	var options []celschema.Option
	if len(asked.OldObject) > 0 {
		if err := utiljson.Unmarshal(asked.OldObject, &old); err != nil {
			return nil, fmt.Errorf("oldObject: %w", err)
		}
		correlated := common.NewCorrelatedObject(current, old, &model.Structural{Structural: schema})
		options = append(options, celschema.WithRatcheting(correlated))
	}
	given := warnings{}
	ctx := warning.WithWarningRecorder(context.Background(), &given)
	validator := celschema.NewValidator(schema, true, celconfig.PerCallLimit)
	errs, left := validator.Validate(ctx, nil, schema, current, old, celconfig.RuntimeCELCostBudget, options...)
	answered := map[string]any{"causes": causes(errs), "warnings": given}
	if left >= 0 {
		answered["spent"] = celconfig.RuntimeCELCostBudget - left
	} else {
		answered["stopped"] = true
	}
	return answered, nil
}

var definitions = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	return scheme
}()

// definition judges a definition, as a create does, or as an update does if
// there is an old one.
func definition(asked *request) (any, error) {
	current, err := internal(asked.Definition)
	if err != nil {
		return nil, fmt.Errorf("definition: %w", err)
	}
	ctx := context.Background()
	if len(asked.OldDefinition) == 0 {
		store(current)
		return map[string]any{"causes": causes(validation.ValidateCustomResourceDefinition(ctx, current))}, nil
	}
	old, err := internal(asked.OldDefinition)
	if err != nil {
		return nil, fmt.Errorf("oldDefinition: %w", err)
	}
	store(old)
	current.Status = *old.Status.DeepCopy()
	store(current)
	// The registry sets it before it validates.
	old.ResourceVersion, current.ResourceVersion = "1", "1"
	return map[string]any{"causes": causes(validation.ValidateCustomResourceDefinitionUpdate(ctx, current, old))}, nil
}

func internal(text json.RawMessage) (*apiextensions.CustomResourceDefinition, error) {
	var external apiextensionsv1.CustomResourceDefinition
	if err := utiljson.Unmarshal(text, &external); err != nil {
		return nil, err
	}
	definitions.Default(&external)
	made := &apiextensions.CustomResourceDefinition{}
	return made, definitions.Convert(&external, made, nil)
}

// store does what the registry does before it validates: the version that is
// stored is one of those that were.
func store(definition *apiextensions.CustomResourceDefinition) {
	for _, one := range definition.Spec.Versions {
		if one.Storage && !apiextensions.IsStoredVersion(definition, one.Name) {
			definition.Status.StoredVersions = append(definition.Status.StoredVersions, one.Name)
		}
	}
}
