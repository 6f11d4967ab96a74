package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/restmapper"
)

// Creates the namespace and the definition.
func (s *story) createDefinition() {
	step("namespace: create")
	space := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace},
	}}
	writeObject(s.client.Resource(namespaces).Create(s.ctx, space, metav1.CreateOptions{}))

	step("definition: create")
	_, err := s.client.Resource(definitions).Create(s.ctx, s.definition, metav1.CreateOptions{})
	check(err)
	until("established", func() bool {
		read, err := s.client.Resource(definitions).Get(s.ctx, name, metav1.GetOptions{})
		check(err)
		return established(read)
	})
	writeObject(s.client.Resource(definitions).Get(s.ctx, name, metav1.GetOptions{}))

	step("definition: create again")
	_, err = s.client.Resource(definitions).Create(s.ctx, s.definition, metav1.CreateOptions{})
	refused(apierrors.IsAlreadyExists, err)
	step("definition: another group")
	moved, err := s.client.Resource(definitions).Get(s.ctx, name, metav1.GetOptions{})
	check(err)
	check(unstructured.SetNestedField(moved.Object, "other.crdible.dev", "spec", "group"))
	_, err = s.client.Resource(definitions).Update(s.ctx, moved, metav1.UpdateOptions{})
	refused(apierrors.IsInvalid, err)
}

func established(definition *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(definition.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(condition any) bool {
		fields, _ := condition.(map[string]any)
		return fields["type"] == "Established" && fields["status"] == "True"
	})
}

// Reads discovery, directly and with a REST mapper.
func (s *story) discover() {
	step("discovery: resources")
	// They follow the definition a little later.
	var resources *metav1.APIResourceList
	var err error
	until("the resources are found", func() bool {
		resources, err = s.discovery.ServerResourcesForGroupVersion(group + "/v1")
		return err == nil
	})
	write(resources)
	step("discovery: unknown group")
	_, err = s.discovery.ServerResourcesForGroupVersion("none.crdible.dev/v1")
	refused(apierrors.IsNotFound, err)
	step("discovery: group, preferred version")
	until("the group is found", func() bool {
		groups, err := s.discovery.ServerGroups()
		check(err)
		return slices.ContainsFunc(groups.Groups, func(g metav1.APIGroup) bool { return g.Name == group })
	})
	_, lists, err := s.discovery.ServerGroupsAndResources()
	check(err)
	// The client requests each group version separately, and the responses arrive in any order.
	slices.SortFunc(lists, func(a, b *metav1.APIResourceList) int { return strings.Compare(a.GroupVersion, b.GroupVersion) })
	for _, list := range lists {
		if gv, _ := schema.ParseGroupVersion(list.GroupVersion); gv.Group == group {
			write(list)
		}
	}
	step("discovery: version")
	version, err := s.discovery.ServerVersion()
	check(err)
	fmt.Println(version.Major, version.Minor, version.GitVersion)

	step("mapper: kind to resource")
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(s.discovery))
	mapping, err := mapper.RESTMapping(schema.GroupKind{Group: group, Kind: "Widget"})
	check(err)
	fmt.Println(mapping.Resource, mapping.GroupVersionKind, mapping.Scope.Name())
	step("mapper: short name to kind")
	short := restmapper.NewShortcutExpander(mapper, s.discovery, func(warning string) { fmt.Println(warning) })
	kind, err := short.KindFor(schema.GroupVersionResource{Resource: "wd"})
	check(err)
	fmt.Println(kind)
	step("OpenAPI v3: document")
	until("the group's document is listed", func() bool {
		paths, err := s.discovery.OpenAPIV3().Paths()
		check(err)
		_, found := paths["apis/"+group+"/v1"]
		return found
	})
	paths, err := s.discovery.OpenAPIV3().Paths()
	check(err)
	document, err := paths["apis/"+group+"/v1"].Schema("application/json")
	check(err)
	var read struct {
		Components struct{ Schemas map[string]any }
	}
	check(json.Unmarshal(document, &read))
	write(read.Components.Schemas["dev.crdible.clients.v1.Widget"])
}

// Deletes the objects, then the definition.
func (s *story) deleteAll() {
	step("delete: precondition")
	uid, version := "other", "1"
	err := s.widgets().Delete(s.ctx, "anna", *metav1.NewPreconditionDeleteOptions(uid))
	refused(apierrors.IsConflict, err)
	err = s.widgets().Delete(s.ctx, "anna", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &version}})
	refused(apierrors.IsConflict, err)
	step("delete: collection")
	check(s.widgets().DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: "spec.color=red"}))
	left, err := s.widgets().List(s.ctx, metav1.ListOptions{})
	check(err)
	fmt.Println(namesOf(left.Items))
	step("delete: definition")
	check(s.client.Resource(definitions).Delete(s.ctx, name, metav1.DeleteOptions{}))
	until("the definition is gone", func() bool {
		_, err := s.client.Resource(definitions).Get(s.ctx, name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	until("the resource is gone", func() bool {
		_, err = s.widgets().List(s.ctx, metav1.ListOptions{})
		return apierrors.IsNotFound(err)
	})
	refused(apierrors.IsNotFound, err)
}
