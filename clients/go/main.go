// Clients/go runs the story with client-go: the dynamic client, discovery, informers, event recorders, and the typed client of definitions. `clients-go KUBECONFIG
// DEFINITION` writes a transcript to stdout.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

const (
	group     = "clients.crdible.dev"
	namespace = "story"
	name      = "widgets." + group
)

var (
	definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	namespaces  = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	widgets     = schema.GroupVersionResource{Group: group, Version: "v1", Resource: "widgets"}
)

// A story runs against one server.
type story struct {
	ctx        context.Context
	config     *rest.Config
	client     dynamic.Interface
	discovery  *discovery.DiscoveryClient
	definition *unstructured.Unstructured
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	// Client-side rate limiting would only slow the story down.
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	check(err)
	finder, err := discovery.NewDiscoveryClientForConfig(config)
	check(err)
	text, err := os.ReadFile(os.Args[2])
	check(err)
	definition := &unstructured.Unstructured{}
	check(yaml.Unmarshal(text, &definition.Object))

	s := &story{ctx, config, client, finder, definition}
	s.createDefinition()
	s.discover()
	s.typedDefinitions()
	s.objects()
	s.refusals()
	s.events()
	s.pages()
	s.scale()
	s.watch()
	s.informer()
	s.expired()
	s.deleteAll()
}

// The widgets in the story's namespace.
func (s *story) widgets() dynamic.ResourceInterface {
	return s.client.Resource(widgets).Namespace(namespace)
}

// The manifest of a widget; `more` are further fields of its spec.
func widget(name, color string, more map[string]any) *unstructured.Unstructured {
	spec := map[string]any{"color": color}
	for key, value := range more {
		spec[key] = value
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": group + "/v1",
		"kind":       "Widget",
		"metadata":   map[string]any{"name": name},
		"spec":       spec,
	}}
}

func check(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(what ...any) {
	fmt.Fprintln(os.Stderr, what...)
	os.Exit(1)
}

// Waits until a condition holds.
func until(what string, holds func() bool) {
	for deadline := time.Now().Add(30 * time.Second); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			fail("did not happen in time:", what)
		}
	}
}
