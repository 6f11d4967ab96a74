package main

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/scale"
	"k8s.io/client-go/tools/pager"
)

// Creates, reads, updates and patches.
func (s *story) objects() {
	step("create")
	anna := widget("anna", "red", map[string]any{"note": "first"})
	anna.SetLabels(map[string]string{"shape": "round"})
	made := writeObject(s.widgets().Create(s.ctx, anna, metav1.CreateOptions{}))
	_, err := s.widgets().Create(s.ctx, widget("berta", "green", map[string]any{"weight": 1.5, "limit": "10%"}), metav1.CreateOptions{})
	check(err)
	_, err = s.widgets().Create(s.ctx, widget("carla", "blue", map[string]any{"limit": int64(7)}), metav1.CreateOptions{})
	check(err)
	step("create: dry run")
	writeObject(s.widgets().Create(s.ctx, widget("dora", "red", nil), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}))
	step("create: generated name")
	generated := widget("", "red", nil)
	generated.SetGenerateName("made-")
	generated, err = s.widgets().Create(s.ctx, generated, metav1.CreateOptions{})
	writeObject(generated, err)
	check(s.widgets().Delete(s.ctx, generated.GetName(), metav1.DeleteOptions{}))
	step("get: managed fields")
	write(made.GetManagedFields())

	step("update")
	check(unstructured.SetNestedField(made.Object, "second", "spec", "note"))
	made = writeObject(s.widgets().Update(s.ctx, made, metav1.UpdateOptions{}))
	step("update: no change")
	again, err := s.widgets().Update(s.ctx, made, metav1.UpdateOptions{})
	check(err)
	fmt.Println(again.GetResourceVersion() == made.GetResourceVersion(), again.GetGeneration())
	step("update: status")
	check(unstructured.SetNestedField(made.Object, map[string]any{"replicas": int64(2), "selector": "shape=round"}, "status"))
	check(unstructured.SetNestedField(made.Object, "ignored", "spec", "note"))
	made = writeObject(s.widgets().UpdateStatus(s.ctx, made, metav1.UpdateOptions{}))
	step("patch: merge")
	writeObject(s.widgets().Patch(s.ctx, "anna", types.MergePatchType, []byte(`{"spec":{"note":null,"free":{"a":[1,{}]}}}`), metav1.PatchOptions{}))
	step("patch: JSON, of the status")
	patch := []byte(`[{"op":"add","path":"/status/conditions","value":[{"type":"Ready","status":"True"}]}]`)
	writeObject(s.widgets().Patch(s.ctx, "anna", types.JSONPatchType, patch, metav1.PatchOptions{}, "status"))
	step("get: other version")
	other := schema.GroupVersionResource{Group: group, Version: "v1beta1", Resource: "widgets"}
	writeObject(s.client.Resource(other).Namespace(namespace).Get(s.ctx, "berta", metav1.GetOptions{}))
}

// Requests that are refused, and how typed errors report them.
func (s *story) refusals() {
	step("refused: not found")
	_, err := s.widgets().Get(s.ctx, "none", metav1.GetOptions{})
	refused(apierrors.IsNotFound, err)
	step("refused: already exists")
	_, err = s.widgets().Create(s.ctx, widget("anna", "red", nil), metav1.CreateOptions{})
	refused(apierrors.IsAlreadyExists, err)
	step("refused: conflict")
	stale, err := s.widgets().Get(s.ctx, "anna", metav1.GetOptions{})
	check(err)
	check(unstructured.SetNestedField(stale.Object, "blue", "spec", "color"))
	stale.SetResourceVersion("1")
	_, err = s.widgets().Update(s.ctx, stale, metav1.UpdateOptions{})
	refused(apierrors.IsConflict, err)
	step("refused: invalid")
	_, err = s.widgets().Create(s.ctx, widget("dora", "pink", map[string]any{"replicas": int64(10)}), metav1.CreateOptions{})
	refused(apierrors.IsInvalid, err)
	step("refused: invalid metadata")
	_, err = s.widgets().Create(s.ctx, widget("Not A Name", "red", nil), metav1.CreateOptions{})
	refused(apierrors.IsInvalid, err)
	step("refused: unknown field")
	strictly := metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict}
	_, err = s.widgets().Create(s.ctx, widget("dora", "red", map[string]any{"colour": "red"}), strictly)
	refused(apierrors.IsBadRequest, err)
	step("refused: other namespace")
	elsewhere := widget("dora", "red", nil)
	elsewhere.SetNamespace("default")
	_, err = s.widgets().Create(s.ctx, elsewhere, metav1.CreateOptions{})
	refused(apierrors.IsBadRequest, err)
	step("refused: no namespace")
	_, err = s.client.Resource(widgets).Create(s.ctx, widget("dora", "red", nil), metav1.CreateOptions{})
	refused(apierrors.IsNotFound, err)
	step("refused: strategic merge patch")
	_, err = s.widgets().Patch(s.ctx, "anna", types.StrategicMergePatchType, []byte(`{}`), metav1.PatchOptions{})
	refused(apierrors.IsUnsupportedMediaType, err)
}

// Lists, by selectors and in pages.
func (s *story) pages() {
	step("list")
	for _, options := range []metav1.ListOptions{
		{}, {LabelSelector: "shape"}, {LabelSelector: "shape!=round"}, {FieldSelector: "spec.color=green"},
		{ResourceVersion: "0"}, {Limit: 2},
	} {
		list, err := s.widgets().List(s.ctx, options)
		check(err)
		fmt.Println(list.GetKind(), namesOf(list.Items), list.GetContinue() != "", list.GetRemainingItemCount() != nil)
	}
	step("list: pages")
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		page, err := s.widgets().List(ctx, options)
		if err == nil {
			fmt.Println("page", namesOf(page.Items))
		}
		return page, err
	})
	pages.PageSize = 1
	check(pages.EachListItem(s.ctx, metav1.ListOptions{}, func(item runtime.Object) error {
		return nil
	}))
}

// The scale client, which finds the kind of a scale by discovery.
func (s *story) scale() {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.discovery))
	client, err := scale.NewForConfig(s.config, mapper, dynamic.LegacyAPIPathResolverFunc, scale.NewDiscoveryScaleKindResolver(s.discovery))
	check(err)
	step("scale: get")
	read, err := client.Scales(namespace).Get(s.ctx, widgets.GroupResource(), "anna", metav1.GetOptions{})
	check(err)
	write(read)
	step("scale: update")
	read.Spec.Replicas = 3
	read, err = client.Scales(namespace).Update(s.ctx, widgets.GroupResource(), read, metav1.UpdateOptions{})
	check(err)
	write(read)
	step("scale: too large")
	_, err = client.Scales(namespace).Patch(s.ctx, widgets, "anna", types.MergePatchType, []byte(`{"spec":{"replicas":10}}`), metav1.PatchOptions{})
	refused(apierrors.IsInvalid, err)
}
