package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Begins a step of the transcript.
func step(title string) {
	fmt.Println("==", title)
}

// Writes a value down, keys in order.
func tell(what any) {
	text, err := json.MarshalIndent(what, "", "  ")
	check(err)
	fmt.Println(string(text))
}

// Writes an object down, without managed fields, which have a step of their own.
func tellObject(object *unstructured.Unstructured, err error) *unstructured.Unstructured {
	check(err)
	told := object.DeepCopy()
	told.SetManagedFields(nil)
	tell(told.Object)
	return object
}

// Writes down how a call was refused, which must be as `is` knows it.
func refused(is func(error) bool, err error) {
	if err == nil || !is(err) {
		fail("not refused as expected:", err)
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		fail("no Status:", err)
	}
	told := status.Status()
	if told.Details != nil && len(told.Details.Causes) > 0 {
		// Causes have no order (spec/11), nor has the message that strings them together.
		slices.SortFunc(told.Details.Causes, func(a, b metav1.StatusCause) int {
			return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
		})
		told.Message = ""
	}
	tell(told)
}

// The names of objects, in the order of the list.
func namesOf(items []unstructured.Unstructured) []string {
	var names []string
	for _, item := range items {
		names = append(names, item.GetName())
	}
	return names
}
