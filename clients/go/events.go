package main

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// The event recorders that operators use, of both groups. A repeated event is counted by a patch.
func (s *story) events() {
	// Typed clients send built-in types as protobuf.
	clients, err := kubernetes.NewForConfig(s.config)
	check(err)
	step("events: create a namespace")
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "events", Labels: map[string]string{"typed": "yes"}}}
	created, err := clients.CoreV1().Namespaces().Create(s.ctx, space, metav1.CreateOptions{})
	check(err)
	write(created.Labels)
	created.Labels["typed"] = "again"
	created, err = clients.CoreV1().Namespaces().Update(s.ctx, created, metav1.UpdateOptions{})
	check(err)
	write(created.Labels)
	_, err = clients.CoreV1().Namespaces().Create(s.ctx, space, metav1.CreateOptions{})
	refused(apierrors.IsAlreadyExists, err)
	other := types.UID("other")
	refused(apierrors.IsConflict, clients.CoreV1().Namespaces().Delete(s.ctx, "events", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &other},
	}))
	anna := &corev1.ObjectReference{APIVersion: group + "/v1", Kind: "Widget", Namespace: namespace, Name: "anna"}

	step("events: recorder of the core group")
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "painter", Host: "workshop"})
	for range 3 {
		recorder.Event(anna, corev1.EventTypeNormal, "Painted", "anna is red now")
	}
	recorder.Eventf(anna, corev1.EventTypeWarning, "Scratched", "the driver was %s", "not careful")
	s.writeEvents(clients, "reportingComponent=painter", 4)
	broadcaster.Shutdown()

	step("events: recorder of the events group")
	newer := events.NewBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	stop := make(chan struct{})
	newer.StartRecordingToSink(stop)
	newerRecorder := newer.NewRecorder(scheme.Scheme, "clients.crdible.dev/painter")
	for range 2 {
		newerRecorder.Eventf(anna, nil, corev1.EventTypeNormal, "Dried", "Wait", "the paint is dry")
	}
	s.writeEvents(clients, "reportingComponent=clients.crdible.dev/painter", 2)
	close(stop)
	newer.Shutdown()

	step("events: delete all")
	check(clients.CoreV1().Events(namespace).DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	left, err := clients.EventsV1().Events(namespace).List(s.ctx, metav1.ListOptions{})
	check(err)
	fmt.Println(len(left.Items))
}

// Writes the events of a selector, once their counts add up to `count`. Names and times depend on the recorder.
func (s *story) writeEvents(clients *kubernetes.Clientset, selector string, count int32) {
	var lines []string
	until(fmt.Sprint(count, " events ", selector), func() bool {
		list, err := clients.CoreV1().Events(namespace).List(s.ctx, metav1.ListOptions{FieldSelector: selector})
		check(err)
		lines = nil
		var seen int32
		for _, event := range list.Items {
			occurrences := max(event.Count, 1)
			if event.Series != nil {
				occurrences = event.Series.Count
			}
			seen += occurrences
			lines = append(lines, fmt.Sprintf("%s %s %d %q %s/%s %s %s %t", event.Type, event.Reason, occurrences, event.Message,
				event.InvolvedObject.Kind, event.InvolvedObject.Name, event.Source.Component, event.Action,
				event.EventTime.After(time.Unix(0, 0))))
		}
		return seen == count
	})
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}
