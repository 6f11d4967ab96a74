package v1

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"crdible.dev/clients/converters/go/api/internal/copies"
)

// DeepCopy copies a source.
func (in *Source) DeepCopy() *Source {
	return &Source{Host: copies.Pointer(in.Host), Port: copies.Pointer(in.Port)}
}

// DeepCopy copies a retention.
func (in *Retention) DeepCopy() *Retention {
	return &Retention{Count: copies.Pointer(in.Count)}
}

// DeepCopy copies limits.
func (in *Limits) DeepCopy() *Limits {
	return &Limits{Bytes: copies.Pointer(in.Bytes), Rate: copies.Pointer(in.Rate)}
}

// DeepCopy copies a status.
func (in *BackupStatus) DeepCopy() *BackupStatus {
	return &BackupStatus{Phase: copies.Pointer(in.Phase), LastRun: in.LastRun.DeepCopy()}
}

// DeepCopy copies a spec.
func (in *BackupSpec) DeepCopy() *BackupSpec {
	return &BackupSpec{
		Source:    copies.Deep(in.Source, (*Source).DeepCopy),
		Cron:      copies.Pointer(in.Cron),
		Targets:   slices.Clone(in.Targets),
		Excludes:  slices.Clone(in.Excludes),
		Timeout:   copies.Pointer(in.Timeout),
		Retention: copies.Deep(in.Retention, (*Retention).DeepCopy),
		Limits:    copies.Deep(in.Limits, (*Limits).DeepCopy),
		Paused:    copies.Pointer(in.Paused),
		Settings:  maps.Clone(in.Settings),
		Priority:  copies.Pointer(in.Priority),
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
