package main

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// Patches an object's note.
func (s *story) note(name, text string) {
	_, err := s.widgets().Patch(s.ctx, name, types.MergePatchType, []byte(fmt.Sprintf(`{"spec":{"note":%q}}`, text)), metav1.PatchOptions{})
	check(err)
}

// An event as a line.
func line(event string, object any) string {
	if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return line(event+" (missed)", gone.Obj)
	}
	read := object.(*unstructured.Unstructured)
	note, _, _ := unstructured.NestedString(read.Object, "spec", "note")
	return fmt.Sprintf("%s %s %d %q", event, read.GetName(), read.GetGeneration(), note)
}

// Watches after a version, and from the start with initial events and the bookmark that ends them.
func (s *story) watch() {
	step("watch: from a version")
	list, err := s.widgets().List(s.ctx, metav1.ListOptions{})
	check(err)
	since, err := s.widgets().Watch(s.ctx, metav1.ListOptions{ResourceVersion: list.GetResourceVersion(), FieldSelector: "spec.color=green"})
	check(err)
	s.note("berta", "watched")
	s.note("carla", "of another color")
	_, err = s.widgets().Patch(s.ctx, "berta", types.MergePatchType, []byte(`{"spec":{"color":"red"}}`), metav1.PatchOptions{})
	check(err)
	_, err = s.widgets().Patch(s.ctx, "berta", types.MergePatchType, []byte(`{"spec":{"color":"green"}}`), metav1.PatchOptions{})
	check(err)
	for range 3 {
		event := <-since.ResultChan()
		fmt.Println(line(string(event.Type), event.Object))
	}
	since.Stop()

	step("watch: with initial events")
	send := true
	initial, err := s.widgets().Watch(s.ctx, metav1.ListOptions{
		SendInitialEvents: &send, AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
	})
	check(err)
	var names []string
	for event := range initial.ResultChan() {
		read := event.Object.(*unstructured.Unstructured)
		if event.Type == watch.Bookmark {
			slices.Sort(names)
			fmt.Println(names, event.Type, read.GetAnnotations())
			initial.Stop()
			break
		}
		names = append(names, fmt.Sprint(event.Type, " ", read.GetName()))
	}

	step("watch: from an expired version")
	gone, err := s.widgets().Watch(s.ctx, metav1.ListOptions{ResourceVersion: "1"})
	check(err)
	event := <-gone.ResultChan()
	refused(apierrors.IsResourceExpired, apierrors.FromObject(event.Object))
	gone.Stop()
}

// A shared informer: existing, added, changed and deleted objects, and a resync.
func (s *story) informer() {
	step("informer")
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(s.client, time.Second, namespace, nil)
	informer := factory.ForResource(widgets).Informer()
	events := make(chan string, 1000)
	var resynced atomic.Int64
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { events <- line("add", object) },
		UpdateFunc: func(before, after any) {
			if before.(*unstructured.Unstructured).GetResourceVersion() == after.(*unstructured.Unstructured).GetResourceVersion() {
				resynced.Add(1)
				return
			}
			events <- line("update", after)
		},
		DeleteFunc: func(object any) { events <- line("delete", object) },
	})
	check(err)
	stop := make(chan struct{})
	factory.Start(stop)
	if !cache.WaitForCacheSync(s.ctx.Done(), informer.HasSynced) {
		fail("the informer did not sync")
	}
	writeSorted(events, 3)
	_, err = s.widgets().Create(s.ctx, widget("emil", "red", nil), metav1.CreateOptions{})
	check(err)
	s.note("emil", "informed")
	check(s.widgets().Delete(s.ctx, "emil", metav1.DeleteOptions{}))
	for range 3 {
		fmt.Println(<-events)
	}
	fmt.Println("cached:", len(informer.GetStore().ListKeys()))
	until("a resync", func() bool { return resynced.Load() >= 3 })
	close(stop)
	factory.Shutdown()
}

// A source without streaming lists: only a list gives a watch a version to start at.
type listed struct{ *cache.ListWatch }

func (listed) IsWatchListSemanticsUnSupported() bool { return true }

// An informer whose first watch starts at an expired version: it must list again, and must not miss anything.
func (s *story) expired() {
	step("informer: 410")
	var lists, watches atomic.Int64
	source := &cache.ListWatch{
		ListFunc: func(options metav1.ListOptions) (runtime.Object, error) {
			lists.Add(1)
			return s.widgets().List(s.ctx, options)
		},
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) {
			if watches.Add(1) == 1 {
				options.ResourceVersion = "1"
			}
			return s.widgets().Watch(s.ctx, options)
		},
	}
	informer := cache.NewSharedIndexInformer(listed{source}, &unstructured.Unstructured{}, 0, cache.Indexers{})
	events := make(chan string, 1000)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { events <- line("add", object) },
		UpdateFunc: func(_, after any) { events <- line("update", after) },
		DeleteFunc: func(object any) { events <- line("delete", object) },
	})
	check(err)
	stop := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		informer.Run(stop)
		close(stopped)
	}()
	until("the informer lists again after a 410", func() bool { return lists.Load() >= 2 && watches.Load() >= 2 })
	writeSorted(events, 3)
	s.note("carla", "after 410")
	// The second list is an update of each existing object.
	for seen := ""; seen != line("update", s.get("carla")); {
		seen = <-events
	}
	fmt.Println("lists:", lists.Load(), "watches:", watches.Load())
	close(stop)
	<-stopped
}

func (s *story) get(name string) *unstructured.Unstructured {
	read, err := s.widgets().Get(s.ctx, name, metav1.GetOptions{})
	check(err)
	return read
}

// Writes a number of events sorted by text, because the events of a list have no order.
func writeSorted(events <-chan string, count int) {
	var lines []string
	for range count {
		lines = append(lines, <-events)
	}
	slices.Sort(lines)
	for _, event := range lines {
		fmt.Println(event)
	}
}
