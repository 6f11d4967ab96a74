package v1beta1

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"crdible.dev/clients/converters/go/api/internal/copies"
	v1 "crdible.dev/clients/converters/go/api/v1"
)

// DeepCopy copies a spec.
func (in *BackupSpec) DeepCopy() *BackupSpec {
	return &BackupSpec{
		Source:    copies.Deep(in.Source, (*v1.Source).DeepCopy),
		Schedule:  copies.Pointer(in.Schedule),
		Targets:   slices.Clone(in.Targets),
		Excludes:  slices.Clone(in.Excludes),
		Timeout:   copies.Pointer(in.Timeout),
		Retention: copies.Deep(in.Retention, (*v1.Retention).DeepCopy),
		Limits:    copies.Deep(in.Limits, (*v1.Limits).DeepCopy),
		Suspend:   copies.Pointer(in.Suspend),
		Settings:  maps.Clone(in.Settings),
	}
}

// DeepCopyObject copies a backup.
func (in *Backup) DeepCopyObject() runtime.Object {
	return &Backup{
		TypeMeta:   in.TypeMeta,
		ObjectMeta: *in.ObjectMeta.DeepCopy(),
		Spec:       copies.Deep(in.Spec, (*BackupSpec).DeepCopy),
		Status:     copies.Deep(in.Status, (*v1.BackupStatus).DeepCopy),
	}
}
