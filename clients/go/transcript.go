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

// Starts a step of the transcript.
func step(title string) {
	fmt.Println("==", title)
}

// Writes a value with sorted keys.
func write(what any) {
	text, err := json.MarshalIndent(what, "", "  ")
	check(err)
	fmt.Println(string(text))
}

// Writes an object without managed fields, which have their own step.
func writeObject(object *unstructured.Unstructured, err error) *unstructured.Unstructured {
	check(err)
	written := object.DeepCopy()
	written.SetManagedFields(nil)
	write(written.Object)
	return object
}

// Writes the refusal of a call, which must be the expected one.
func refused(is func(error) bool, err error) {
	if err == nil || !is(err) {
		fail("not refused as expected:", err)
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		fail("no Status:", err)
	}
	written := status.Status()
	if written.Details != nil && len(written.Details.Causes) > 0 {
		// Causes have no order (spec/11), and neither has the message that joins them.
		slices.SortFunc(written.Details.Causes, func(a, b metav1.StatusCause) int {
			return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Message, b.Message))
		})
		written.Message = ""
	}
	write(written)
}

// The names of objects, in the order of the list.
func namesOf(items []unstructured.Unstructured) []string {
	var names []string
	for _, item := range items {
		names = append(names, item.GetName())
	}
	return names
}
