package v1alpha1

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"crdible.dev/clients/converters/go/api/internal/annotations"
	v1 "crdible.dev/clients/converters/go/api/v1"
)

// Bugs says what each planted bug does.
var Bugs = map[string]string{
	"zero":  "keep: 0 is taken for an absent one, as omitempty does with an int that is no pointer",
	"stale": "all targets come from the annotation, also when a client changed the first since",
}

// Bug is the planted bug, if there is one.
var Bug string

// ConvertTo converts to v1.
func (src *Backup) ConvertTo(hub conversion.Hub) error {
	dst := hub.(*v1.Backup)
	dst.ObjectMeta = *src.ObjectMeta.DeepCopy()
	kept := annotations.Take[annotations.Kept](&dst.ObjectMeta, annotations.KeptKey)
	annotations.Take[[]string](&dst.ObjectMeta, annotations.OrderKey)
	if src.Status != nil {
		dst.Status = &v1.BackupStatus{Phase: renamed(src.Status.State, "Idle", "Waiting"), LastRun: src.Status.LastRun}
	}
	if src.Spec == nil {
		return nil
	}
	dst.Spec = &v1.BackupSpec{
		Source:   split(src.Spec.Source),
		Cron:     src.Spec.Schedule,
		Paused:   src.Spec.Suspend,
		Priority: kept.Priority,
	}
	if src.Spec.Target != nil {
		dst.Spec.Targets = append([]string{*src.Spec.Target}, kept.Targets...)
		if Bug == "stale" && len(kept.Targets) > 0 {
			dst.Spec.Targets = kept.Targets
		}
	}
	if excludes := src.Spec.Excludes; excludes != nil {
		// Nothing joined is the empty text, of which Split makes one part.
		dst.Spec.Excludes = []string{}
		if *excludes != "" {
			dst.Spec.Excludes = strings.Split(*excludes, ",")
		}
	}
	if seconds := src.Spec.TimeoutSeconds; seconds != nil {
		dst.Spec.Timeout = new(strconv.FormatInt(*seconds, 10) + "s")
	}
	if keep := src.Spec.Keep; keep != nil && !(Bug == "zero" && *keep == 0) {
		dst.Spec.Retention = &v1.Retention{Count: keep}
	}
	if src.Spec.MaxBytes != nil || src.Spec.MaxRate != nil {
		dst.Spec.Limits = &v1.Limits{Bytes: src.Spec.MaxBytes, Rate: src.Spec.MaxRate}
	}
	if src.Spec.Settings == nil {
		return nil
	}
	dst.Spec.Settings = make(map[string]string, len(src.Spec.Settings))
	var names []string
	for _, setting := range src.Spec.Settings {
		dst.Spec.Settings[setting.Name] = setting.Value
		names = append(names, setting.Name)
	}
	if slices.IsSorted(names) {
		return nil
	}
	return annotations.Put(&dst.ObjectMeta, annotations.OrderKey, names)
}

// ConvertFrom converts from v1.
func (dst *Backup) ConvertFrom(hub conversion.Hub) error {
	src := hub.(*v1.Backup)
	dst.ObjectMeta = *src.ObjectMeta.DeepCopy()
	annotations.Take[annotations.Kept](&dst.ObjectMeta, annotations.KeptKey)
	order := annotations.Take[[]string](&dst.ObjectMeta, annotations.OrderKey)
	if src.Status != nil {
		dst.Status = &BackupStatus{State: renamed(src.Status.Phase, "Waiting", "Idle"), LastRun: src.Status.LastRun}
	}
	if src.Spec == nil {
		return nil
	}
	dst.Spec = &BackupSpec{
		Source:   joined(src.Spec.Source),
		Schedule: src.Spec.Cron,
		Suspend:  src.Spec.Paused,
		Settings: sorted(src.Spec.Settings, order),
	}
	kept := annotations.Kept{Priority: src.Spec.Priority}
	if targets := src.Spec.Targets; len(targets) > 0 {
		dst.Spec.Target, kept.Targets = &targets[0], targets[1:]
		if Bug == "stale" {
			kept.Targets = targets
		}
	}
	if src.Spec.Excludes != nil {
		dst.Spec.Excludes = new(strings.Join(src.Spec.Excludes, ","))
	}
	if timeout := src.Spec.Timeout; timeout != nil {
		digits, isSeconds := strings.CutSuffix(*timeout, "s")
		seconds, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || !isSeconds {
			return fmt.Errorf("spec.timeout is not a number of seconds: %q", *timeout)
		}
		dst.Spec.TimeoutSeconds = &seconds
	}
	if retention := src.Spec.Retention; retention != nil {
		dst.Spec.Keep = retention.Count
	}
	if limits := src.Spec.Limits; limits != nil {
		dst.Spec.MaxBytes, dst.Spec.MaxRate = limits.Bytes, limits.Rate
	}
	if kept.Priority == nil && len(kept.Targets) == 0 {
		return nil
	}
	return annotations.Put(&dst.ObjectMeta, annotations.KeptKey, kept)
}

// The value with one name replaced by another.
func renamed(value *string, from, to string) *string {
	if value != nil && *value == from {
		return &to
	}
	return value
}

// The host, and the port if there is one.
func split(source *string) *v1.Source {
	if source == nil {
		return nil
	}
	if at := strings.LastIndexByte(*source, ':'); at >= 0 {
		if port, err := strconv.ParseInt((*source)[at+1:], 10, 32); err == nil {
			return &v1.Source{Host: new((*source)[:at]), Port: new(int32(port))}
		}
	}
	return &v1.Source{Host: source}
}

// The host and the port in one text.
func joined(source *v1.Source) *string {
	switch {
	case source == nil || source.Host == nil:
		return nil
	case source.Port == nil:
		return source.Host
	default:
		return new(fmt.Sprintf("%s:%d", *source.Host, *source.Port))
	}
}

// The settings as a list: those that the order names, as far as they are still there, then all others by name.
func sorted(settings map[string]string, order []string) []Setting {
	if settings == nil {
		return nil
	}
	list := make([]Setting, 0, len(settings))
	left := maps.Clone(settings)
	for _, name := range slices.Concat(order, slices.Sorted(maps.Keys(settings))) {
		if value, found := left[name]; found {
			list = append(list, Setting{Name: name, Value: value})
			delete(left, name)
		}
	}
	return list
}
