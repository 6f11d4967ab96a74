package main

import "encoding/json"

// request has the fields of all operations; each reads those that it needs.
type request struct {
	Op string `json:"op"`
	// Any value; the answer has it, too.
	ID json.RawMessage `json:"id"`

	// The release with which new rules must be compatible, such as 1.35; without it
	// the default of the linked release, which is the one before it.
	Compat string `json:"compat"`
	// As a rule that is in storage already, which may use everything of any release.
	Stored bool `json:"stored"`

	// The rule or expression.
	Text string `json:"text"`
	// The schema of the node that has the rule; the schema of the root for an object.
	Schema json.RawMessage `json:"schema"`
	// The node is the root of an object or of an embedded one.
	Root bool `json:"root"`
	// The type of oldSelf is an optional.
	OptionalOldSelf bool            `json:"optionalOldSelf"`
	Self            json.RawMessage `json:"self"`
	OldSelf         json.RawMessage `json:"oldSelf"`

	// Variables of an expression: plain JSON, and values with tags as in answers.
	Variables map[string]json.RawMessage `json:"variables"`
	Values    map[string]json.RawMessage `json:"values"`
	// Types of variables, such as list(int), which may have no value then; dyn without.
	Declared map[string]string `json:"declared"`
	// Sizes for the estimate, least and most: of x, x.@items, x.@keys, x.@values …
	Sizes map[string][2]uint64 `json:"sizes"`

	// The answer has the checked syntax tree.
	Checked bool `json:"checked"`

	Object        json.RawMessage `json:"object"`
	OldObject     json.RawMessage `json:"oldObject"`
	Definition    json.RawMessage `json:"definition"`
	OldDefinition json.RawMessage `json:"oldDefinition"`
}
