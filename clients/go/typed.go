package main

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
)

const gadgets = "gadgets." + group

// Definitions with the typed client of apiextensions and its defaults: it sends protobuf and prefers it in answers.
func (s *story) typedDefinitions() {
	seen := &formats{}
	config := rest.CopyConfig(s.config)
	config.Wrap(seen.around)
	clients, err := apiextensions.NewForConfig(config)
	check(err)
	definitions := clients.ApiextensionsV1().CustomResourceDefinitions()
	only := metav1.ListOptions{FieldSelector: "metadata.name=" + gadgets}

	step("typed definition: create")
	wanted := &apiextensionsv1.CustomResourceDefinition{}
	check(runtime.DefaultUnstructuredConverter.FromUnstructured(s.definition.Object, wanted))
	wanted.Name = gadgets
	wanted.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Plural: "gadgets", Kind: "Gadget"}
	list, err := definitions.List(s.ctx, only)
	check(err)
	fmt.Println("before:", len(list.Items))
	only.ResourceVersion = list.ResourceVersion
	watcher, err := definitions.Watch(s.ctx, only)
	check(err)
	created, err := definitions.Create(s.ctx, wanted, metav1.CreateOptions{})
	writeDefinition(created, err)
	step("typed definition: get")
	until("established", func() bool {
		created, err = definitions.Get(s.ctx, gadgets, metav1.GetOptions{})
		check(err)
		return isEstablished(created)
	})
	writeDefinition(created, nil)
	step("typed definition: managed fields")
	// They are sorted by time, in whole seconds, and only then by manager: whether creation and status share a second is chance.
	entries := slices.Clone(created.ManagedFields)
	slices.SortFunc(entries, func(a, b metav1.ManagedFieldsEntry) int { return cmp.Compare(a.Subresource, b.Subresource) })
	for _, entry := range entries {
		fmt.Println(entry.Operation, entry.APIVersion, entry.Subresource, entry.FieldsType, string(entry.FieldsV1.Raw))
	}
	step("typed definition: list")
	only.ResourceVersion = ""
	list, err = definitions.List(s.ctx, only)
	check(err)
	for _, item := range list.Items {
		writeDefinition(&item, nil)
	}
	page, err := definitions.List(s.ctx, metav1.ListOptions{Limit: 1})
	check(err)
	fmt.Println(len(page.Items), page.Continue != "", *page.RemainingItemCount)

	step("typed definition: update")
	changed := created.DeepCopy()
	changed.Labels["typed"] = "yes"
	changed.Spec.Names.ShortNames = []string{"gd"}
	updated, err := definitions.Update(s.ctx, changed, metav1.UpdateOptions{})
	writeDefinition(updated, err)
	step("typed definition: update of an old version")
	_, err = definitions.Update(s.ctx, changed, metav1.UpdateOptions{})
	refused(apierrors.IsConflict, err)
	step("typed definition: patch")
	patched, err := definitions.Patch(s.ctx, gadgets, types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"<b>"}}}`), metav1.PatchOptions{})
	check(err)
	fmt.Println(patched.Annotations)
	step("typed definition: status update")
	until("the short name is accepted", func() bool {
		patched, err = definitions.Get(s.ctx, gadgets, metav1.GetOptions{})
		check(err)
		return len(patched.Status.AcceptedNames.ShortNames) == 1
	})
	patched.Status.Conditions = append(patched.Status.Conditions, apiextensionsv1.CustomResourceDefinitionCondition{
		Type: "Painted", Status: apiextensionsv1.ConditionTrue, Reason: "Red", Message: "it is red",
		LastTransitionTime: metav1.Now(),
	})
	updated, err = definitions.UpdateStatus(s.ctx, patched, metav1.UpdateOptions{})
	writeDefinition(updated, err)

	step("typed definition: refused")
	_, err = definitions.Create(s.ctx, wanted, metav1.CreateOptions{})
	refused(apierrors.IsAlreadyExists, err)
	wrong := wanted.DeepCopy()
	wrong.Spec.Scope = "Elsewhere"
	wrong.Name = "wrong." + group
	_, err = definitions.Create(s.ctx, wrong, metav1.CreateOptions{})
	refused(apierrors.IsInvalid, err)
	_, err = definitions.Get(s.ctx, "none."+group, metav1.GetOptions{})
	refused(apierrors.IsNotFound, err)
	refused(apierrors.IsNotFound, definitions.Delete(s.ctx, "none."+group, metav1.DeleteOptions{}))

	step("typed definition: delete")
	check(definitions.Delete(s.ctx, gadgets, metav1.DeleteOptions{}))
	until("it is gone", func() bool {
		_, err = definitions.Get(s.ctx, gadgets, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
	step("typed definition: watch")
	writeEvents(watcher)
	step("typed definition: formats")
	seen.write()
}

// Writes a definition without managed fields, which have their own step.
func writeDefinition(definition *apiextensionsv1.CustomResourceDefinition, err error) {
	check(err)
	written := definition.DeepCopy()
	written.ManagedFields = nil
	slices.SortFunc(written.Status.Conditions, func(a, b apiextensionsv1.CustomResourceDefinitionCondition) int {
		return cmp.Compare(a.Type, b.Type)
	})
	write(written)
}

func isEstablished(definition *apiextensionsv1.CustomResourceDefinition) bool {
	return slices.ContainsFunc(definition.Status.Conditions, func(condition apiextensionsv1.CustomResourceDefinitionCondition) bool {
		return condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue
	})
}

// Writes the events of a definition until it is deleted. In how many steps a server establishes and deletes it is up to the server.
func writeEvents(watcher watch.Interface) {
	defer watcher.Stop()
	last := ""
	for event := range watcher.ResultChan() {
		definition, ok := event.Object.(*apiextensionsv1.CustomResourceDefinition)
		if !ok {
			fail("not a definition:", event.Object)
		}
		if line := fmt.Sprint(event.Type, " ", definition.Name); line != last {
			fmt.Println(line)
			last = line
		}
		if event.Type == watch.Deleted {
			return
		}
	}
	fail("the watch ended before the deletion")
}

// The formats of requests and answers.
type formats struct {
	sync.Mutex
	lines []string
}

func (f *formats) around(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		answer, err := next.RoundTrip(request)
		if err != nil {
			return nil, err
		}
		f.Lock()
		defer f.Unlock()
		line := fmt.Sprintf("%s %s accepts %s sends %s gets %d %s", request.Method, strings.TrimSuffix(request.URL.Path, "/"),
			request.Header.Get("Accept"), cmp.Or(request.Header.Get("Content-Type"), "nothing"), answer.StatusCode,
			answer.Header.Get("Content-Type"))
		// How often the client asks again depends on the server's speed.
		if !slices.Contains(f.lines, line) {
			f.lines = append(f.lines, line)
		}
		return answer, nil
	})
}

func (f *formats) write() {
	f.Lock()
	defer f.Unlock()
	for _, line := range f.lines {
		fmt.Println(line)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
