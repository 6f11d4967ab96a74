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

// The recorders that operators use, of both groups. One that repeats itself counts up an event by a patch.
func (s *story) events() {
	// Typed clients send protobuf of built-in types.
	clients, err := kubernetes.NewForConfig(s.config)
	check(err)
	step("events: a namespace of their own")
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "events", Labels: map[string]string{"typed": "yes"}}}
	made, err := clients.CoreV1().Namespaces().Create(s.ctx, space, metav1.CreateOptions{})
	check(err)
	tell(made.Labels)
	made.Labels["typed"] = "again"
	made, err = clients.CoreV1().Namespaces().Update(s.ctx, made, metav1.UpdateOptions{})
	check(err)
	tell(made.Labels)
	_, err = clients.CoreV1().Namespaces().Create(s.ctx, space, metav1.CreateOptions{})
	refused(apierrors.IsAlreadyExists, err)
	other := types.UID("other")
	refused(apierrors.IsConflict, clients.CoreV1().Namespaces().Delete(s.ctx, "events", metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: &other},
	}))
	anna := &corev1.ObjectReference{APIVersion: group + "/v1", Kind: "Widget", Namespace: namespace, Name: "anna"}

	step("events: a recorder of the core group")
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clients.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "painter", Host: "workshop"})
	for range 3 {
		recorder.Event(anna, corev1.EventTypeNormal, "Painted", "anna is red now")
	}
	recorder.Eventf(anna, corev1.EventTypeWarning, "Scratched", "somebody was %s", "not careful")
	s.tellEvents(clients, "reportingComponent=painter", 4)
	broadcaster.Shutdown()

	step("events: a recorder of the newer group")
	newer := events.NewBroadcaster(&events.EventSinkImpl{Interface: clients.EventsV1()})
	stop := make(chan struct{})
	newer.StartRecordingToSink(stop)
	teller := newer.NewRecorder(scheme.Scheme, "clients.crdible.dev/painter")
	for range 2 {
		teller.Eventf(anna, nil, corev1.EventTypeNormal, "Dried", "Wait", "the paint is dry")
	}
	s.tellEvents(clients, "reportingComponent=clients.crdible.dev/painter", 2)
	close(stop)
	newer.Shutdown()

	step("events: all go")
	check(clients.CoreV1().Events(namespace).DeleteCollection(s.ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	left, err := clients.EventsV1().Events(namespace).List(s.ctx, metav1.ListOptions{})
	check(err)
	fmt.Println(len(left.Items))
}

// Writes down what is told of the events that a selector selects, once they count so many. Names and times are the recorder's.
func (s *story) tellEvents(clients *kubernetes.Clientset, selector string, count int32) {
	var told []string
	until(fmt.Sprint(count, " events ", selector), func() bool {
		list, err := clients.CoreV1().Events(namespace).List(s.ctx, metav1.ListOptions{FieldSelector: selector})
		check(err)
		told = nil
		var seen int32
		for _, event := range list.Items {
			one := max(event.Count, 1)
			if event.Series != nil {
				one = event.Series.Count
			}
			seen += one
			told = append(told, fmt.Sprintf("%s %s %d %q %s/%s %s %s %t", event.Type, event.Reason, one, event.Message,
				event.InvolvedObject.Kind, event.InvolvedObject.Name, event.Source.Component, event.Action,
				event.EventTime.After(time.Unix(0, 0))))
		}
		return seen == count
	})
	slices.Sort(told)
	for _, line := range told {
		fmt.Println(line)
	}
}
