// Package v1 has the hub: the version that all others are converted to.
// +groupName=converters.crdible.dev
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

var (
	// GroupVersion is the group and version of these objects.
	GroupVersion = schema.GroupVersion{Group: "converters.crdible.dev", Version: "v1"}
	// SchemeBuilder registers the types.
	SchemeBuilder = &scheme.Builder{GroupVersion: GroupVersion}
	// AddToScheme adds the types to a scheme.
	AddToScheme = SchemeBuilder.AddToScheme
)

func init() {
	SchemeBuilder.Register(&Backup{})
}

// BackupSpec is what is to be stored, where and when.
//
// Whatever may be absent is a pointer, and lists and maps that may be empty have omitzero, which leaves out nil only: with omitempty, an
// empty one would be lost.
type BackupSpec struct {
	Source    *Source           `json:"source,omitempty"`
	Cron      *string           `json:"cron,omitempty"`
	Targets   []string          `json:"targets,omitzero"`
	Excludes  []string          `json:"excludes,omitzero"`
	Timeout   *string           `json:"timeout,omitempty"`
	Retention *Retention        `json:"retention,omitempty"`
	Limits    *Limits           `json:"limits,omitempty"`
	Paused    *bool             `json:"paused,omitempty"`
	Settings  map[string]string `json:"settings,omitzero"`
	Priority  *int32            `json:"priority,omitempty"`
}

// Source is a server.
type Source struct {
	Host *string `json:"host,omitempty"`
	Port *int32  `json:"port,omitempty"`
}

// Retention says how many backups are kept.
type Retention struct {
	Count *int32 `json:"count,omitempty"`
}

// Limits are those of one run.
type Limits struct {
	Bytes *int64   `json:"bytes,omitempty"`
	Rate  *float64 `json:"rate,omitempty"`
}

// BackupStatus is what became of the last run.
type BackupStatus struct {
	Phase   *string      `json:"phase,omitempty"`
	LastRun *metav1.Time `json:"lastRun,omitempty"`
}

// Backup is a server that is copied again and again.
// +kubebuilder:storageversion
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   *BackupSpec   `json:"spec,omitempty"`
	Status *BackupStatus `json:"status,omitempty"`
}

// Hub marks this version as the one that all others are converted to.
func (*Backup) Hub() {}
