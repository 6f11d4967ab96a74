package v1alpha1

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"crdible.dev/clients/converters/go/api/internal/copies"
)

// DeepCopy copies a status.
func (in *BackupStatus) DeepCopy() *BackupStatus {
	return &BackupStatus{State: copies.Pointer(in.State), LastRun: in.LastRun.DeepCopy()}
}

// DeepCopy copies a spec.
func (in *BackupSpec) DeepCopy() *BackupSpec {
	return &BackupSpec{
		Source:         copies.Pointer(in.Source),
		Schedule:       copies.Pointer(in.Schedule),
		Target:         copies.Pointer(in.Target),
		Excludes:       copies.Pointer(in.Excludes),
		TimeoutSeconds: copies.Pointer(in.TimeoutSeconds),
		Keep:           copies.Pointer(in.Keep),
		MaxBytes:       copies.Pointer(in.MaxBytes),
		MaxRate:        copies.Pointer(in.MaxRate),
		Suspend:        copies.Pointer(in.Suspend),
		Settings:       slices.Clone(in.Settings),
	}
}

// DeepCopyObject copies a backup.
func (in *Backup) DeepCopyObject() runtime.Object {
	return &Backup{
		TypeMeta:   in.TypeMeta,
		ObjectMeta: *in.ObjectMeta.DeepCopy(),
		Spec:       copies.Deep(in.Spec, (*BackupSpec).DeepCopy),
		Status:     copies.Deep(in.Status, (*BackupStatus).DeepCopy),
	}
}
