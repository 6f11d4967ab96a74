package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// tag is the only member of a JSON object that holds a value of CEL.
type tag map[string]any

// opaque are upstream's own types, whose values have a canonical text.
var opaque = map[string]string{
	"kubernetes.Quantity": "quantity",
	"kubernetes.URL":      "url",
	"kubernetes.Semver":   "semver",
	"net.IP":              "ip",
	"net.CIDR":            "cidr",
}

// tagged writes a value so that nothing of it is lost; untagged is the reverse.
func tagged(value ref.Val) any {
	switch v := value.(type) {
	case nil:
		return tag{"absent": true}
	case types.Null:
		return tag{"null": nil}
	case types.Bool:
		return tag{"bool": bool(v)}
	case types.Int:
		return tag{"int": int64(v)}
	case types.Uint:
		return tag{"uint": uint64(v)}
	case types.Double:
		return tag{"double": strconv.FormatFloat(float64(v), 'g', -1, 64)}
	case types.String:
		if !utf8.ValidString(string(v)) {
			return tag{"broken": []byte(v)}
		}
		return tag{"string": string(v)}
	case types.Bytes:
		return tag{"bytes": []byte(v)}
	case types.Duration:
		return tag{"duration": v.Duration.Nanoseconds()}
	case types.Timestamp:
		return tag{"timestamp": v.Format(time.RFC3339Nano)}
	case *types.Optional:
		if !v.HasValue() {
			return tag{"optional": []any{}}
		}
		return tag{"optional": []any{tagged(v.GetValue())}}
	case *types.Type:
		return tag{"type": v.TypeName()}
	case *types.Err:
		return tag{"error": v.Error()}
	}
	name := value.Type().TypeName()
	if kind, found := opaque[name]; found {
		return tag{kind: fmt.Sprint(value.Value())}
	}
	if format, ok := value.Value().(apiservercel.Format); ok {
		return tag{"format": format.Name}
	}
	switch v := value.(type) {
	case traits.Lister:
		elements := []any{}
		for each := v.Iterator(); each.HasNext() == types.True; {
			elements = append(elements, tagged(each.Next()))
		}
		return tag{"list": elements}
	case traits.Mapper:
		entries := [][2]any{}
		for each := v.Iterator(); each.HasNext() == types.True; {
			// The iterator of an object ends with an absent key for each field that is not declared.
			if key := each.Next(); key != nil {
				entries = append(entries, [2]any{tagged(key), tagged(v.Get(key))})
			}
		}
		// Go's maps have no order.
		slices.SortFunc(entries, func(a, b [2]any) int {
			return strings.Compare(string(encode(a[0])), string(encode(b[0])))
		})
		return tag{"map": entries}
	}
	return tag{"other": [2]string{name, fmt.Sprint(value.Value())}}
}

// untagged reads a value of a variable.
func untagged(text json.RawMessage) (ref.Val, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	if len(members) != 1 {
		return nil, fmt.Errorf("%s: one tag is expected", text)
	}
	for kind, content := range members {
		switch kind {
		case "null":
			return types.NullValue, nil
		case "bool":
			value, err := read[bool](content)
			return types.Bool(value), err
		case "int":
			value, err := read[int64](content)
			return types.Int(value), err
		case "uint":
			value, err := read[uint64](content)
			return types.Uint(value), err
		case "double":
			value, err := read[string](content)
			if err != nil {
				return nil, err
			}
			number, err := strconv.ParseFloat(value, 64)
			return types.Double(number), err
		case "string":
			value, err := read[string](content)
			return types.String(value), err
		case "bytes":
			value, err := read[[]byte](content)
			return types.Bytes(value), err
		case "broken":
			value, err := read[[]byte](content)
			return types.String(value), err
		case "duration":
			value, err := read[int64](content)
			return types.Duration{Duration: time.Duration(value)}, err
		case "timestamp":
			value, err := read[time.Time](content)
			return types.Timestamp{Time: value}, err
		case "optional":
			inner, err := untaggedAll(content)
			if err != nil || len(inner) == 0 {
				return types.OptionalNone, err
			}
			return types.OptionalOf(inner[0]), nil
		case "list":
			elements, err := untaggedAll(content)
			return types.NewRefValList(types.DefaultTypeAdapter, elements), err
		case "map":
			pairs, err := read[[][2]json.RawMessage](content)
			if err != nil {
				return nil, err
			}
			entries := map[ref.Val]ref.Val{}
			for _, pair := range pairs {
				key, err := untagged(pair[0])
				if err != nil {
					return nil, err
				}
				if entries[key], err = untagged(pair[1]); err != nil {
					return nil, err
				}
			}
			return types.NewRefValMap(types.DefaultTypeAdapter, entries), nil
		}
		return nil, fmt.Errorf("there is no tag %q for variables", kind)
	}
	panic("unreachable: one member was counted")
}

func untaggedAll(text json.RawMessage) ([]ref.Val, error) {
	texts, err := read[[]json.RawMessage](text)
	if err != nil {
		return nil, err
	}
	values := make([]ref.Val, len(texts))
	for i, one := range texts {
		if values[i], err = untagged(one); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func read[T any](text json.RawMessage) (value T, err error) {
	err = json.Unmarshal(text, &value)
	return value, err
}
