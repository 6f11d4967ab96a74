// Package v1beta1 has the version with the names of fields that v1 changed.
// +groupName=converters.crdible.dev
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"

	v1 "crdible.dev/clients/converters/go/api/v1"
)

var (
	// GroupVersion is the group and version of these objects.
	GroupVersion = schema.GroupVersion{Group: "converters.crdible.dev", Version: "v1beta1"}
	// SchemeBuilder registers the types.
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	// AddToScheme adds the types to a scheme.
	AddToScheme = SchemeBuilder.AddToScheme
)

func init() {
	SchemeBuilder.Register(&Backup{})
}

// BackupSpec is what is to be stored, where and when. The parts are those of v1.
type BackupSpec struct {
	Source    *v1.Source        `json:"source,omitempty"`
	Schedule  *string           `json:"schedule,omitempty"`
	Targets   []string          `json:"targets,omitzero"`
	Excludes  []string          `json:"excludes,omitzero"`
	Timeout   *string           `json:"timeout,omitempty"`
	Retention *v1.Retention     `json:"retention,omitempty"`
	Limits    *v1.Limits        `json:"limits,omitempty"`
	Suspend   *bool             `json:"suspend,omitempty"`
	Settings  map[string]string `json:"settings,omitzero"`
}

// Backup is a server that is copied again and again.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *BackupSpec      `json:"spec,omitempty"`
	Status *v1.BackupStatus `json:"status,omitempty"`
}
