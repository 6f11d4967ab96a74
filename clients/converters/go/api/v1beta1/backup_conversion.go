package v1beta1

import (
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"crdible.dev/clients/converters/go/api/internal/annotations"
	v1 "crdible.dev/clients/converters/go/api/v1"
)

// ConvertTo converts to v1.
func (src *Backup) ConvertTo(hub conversion.Hub) error {
	dst := hub.(*v1.Backup)
	dst.ObjectMeta = *src.ObjectMeta.DeepCopy()
	dst.Status = src.Status
	kept := annotations.Take[annotations.Kept](&dst.ObjectMeta, annotations.KeptKey)
	if src.Spec == nil {
		return nil
	}
	dst.Spec = &v1.BackupSpec{
		Source:    src.Spec.Source,
		Cron:      src.Spec.Schedule,
		Targets:   src.Spec.Targets,
		Excludes:  src.Spec.Excludes,
		Timeout:   src.Spec.Timeout,
		Retention: src.Spec.Retention,
		Limits:    src.Spec.Limits,
		Paused:    src.Spec.Suspend,
		Settings:  src.Spec.Settings,
		Priority:  kept.Priority,
	}
	return nil
}

// ConvertFrom converts from v1.
func (dst *Backup) ConvertFrom(hub conversion.Hub) error {
	src := hub.(*v1.Backup)
	dst.ObjectMeta = *src.ObjectMeta.DeepCopy()
	dst.Status = src.Status
	annotations.Take[annotations.Kept](&dst.ObjectMeta, annotations.KeptKey)
	if src.Spec == nil {
		return nil
	}
	dst.Spec = &BackupSpec{
		Source:    src.Spec.Source,
		Schedule:  src.Spec.Cron,
		Targets:   src.Spec.Targets,
		Excludes:  src.Spec.Excludes,
		Timeout:   src.Spec.Timeout,
		Retention: src.Spec.Retention,
		Limits:    src.Spec.Limits,
		Suspend:   src.Spec.Paused,
		Settings:  src.Spec.Settings,
	}
	if src.Spec.Priority == nil {
		return nil
	}
	return annotations.Put(&dst.ObjectMeta, annotations.KeptKey, annotations.Kept{Priority: src.Spec.Priority})
}
