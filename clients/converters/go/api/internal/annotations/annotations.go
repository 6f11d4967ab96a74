// Package annotations keeps in annotations what a version has no place for.
package annotations

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// KeptKey is the annotation with Kept.
	KeptKey = "converters.crdible.dev/kept"
	// OrderKey is the annotation with the names of settings in the order of v1alpha1, where these are not sorted.
	OrderKey = "converters.crdible.dev/settings-order"
)

// Kept is what older versions have no place for.
type Kept struct {
	// Targets are those after the first.
	Targets  []string `json:"targets,omitempty"`
	Priority *int32   `json:"priority,omitempty"`
}

// Take removes an annotation and returns its content, or nothing if that is not readable: any
// user who may write an object may write it.
func Take[T any](object *metav1.ObjectMeta, key string) T {
	var content, nothing T
	annotations := object.Annotations
	text, found := annotations[key]
	delete(annotations, key)
	if !found || json.Unmarshal([]byte(text), &content) != nil {
		return nothing
	}
	return content
}

// Put writes an annotation.
func Put(object *metav1.ObjectMeta, key string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	metav1.SetMetaDataAnnotation(object, key, string(text))
	return nil
}
