// Package v1alpha1 has the first version, which is flat.
// +groupName=converters.crdible.dev
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	// GroupVersion is the group and version of these objects.
	GroupVersion = schema.GroupVersion{Group: "converters.crdible.dev", Version: "v1alpha1"}
	// SchemeBuilder registers the types.
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	// AddToScheme adds the types to a scheme.
	AddToScheme = SchemeBuilder.AddToScheme
)

func init() {
	SchemeBuilder.Register(&Backup{})
}

// BackupSpec is what is to be stored, where and when.
type BackupSpec struct {
	// Source is a host, or a host and a port: db:5432.
	Source   *string `json:"source,omitempty"`
	Schedule *string `json:"schedule,omitempty"`
	Target   *string `json:"target,omitempty"`
	// Excludes are patterns, with commas between them.
	Excludes       *string   `json:"excludes,omitempty"`
	TimeoutSeconds *int64    `json:"timeoutSeconds,omitempty"`
	Keep           *int32    `json:"keep,omitempty"`
	MaxBytes       *int64    `json:"maxBytes,omitempty"`
	MaxRate        *float64  `json:"maxRate,omitempty"`
	Suspend        *bool     `json:"suspend,omitempty"`
	Settings       []Setting `json:"settings,omitzero"`
}

// Setting is one setting.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// BackupStatus is what became of the last run.
type BackupStatus struct {
	State   *string      `json:"state,omitempty"`
	LastRun *metav1.Time `json:"lastRun,omitempty"`
}

// Backup is a server that is copied again and again.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *BackupSpec   `json:"spec,omitempty"`
	Status *BackupStatus `json:"status,omitempty"`
}
