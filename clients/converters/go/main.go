// A conversion webhook of controller-runtime, with hub and spokes in api/ as a kubebuilder project has them:
//
//	converter CERTIFICATES [--bug NAME]
//
// The first line of stdout is the URL. The webhook server of a kubebuilder project is part of its manager, which requires a cluster; a
// conversion needs none.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager/signals"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/conversion"

	v1 "crdible.dev/clients/converters/go/api/v1"
	"crdible.dev/clients/converters/go/api/v1alpha1"
	"crdible.dev/clients/converters/go/api/v1beta1"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintf(os.Stderr, "usage: %s [--bug NAME] CERTIFICATES\n", os.Args[0])
		flag.PrintDefaults()
	}
	flag.StringVar(&v1alpha1.Bug, "bug", "", "the bug to plant")
	flag.Parse()
	if _, known := v1alpha1.Bugs[v1alpha1.Bug]; flag.NArg() != 1 || !(known || v1alpha1.Bug == "") {
		flag.Usage()
		os.Exit(2)
	}
	if err := serve(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(certificates string) error {
	scheme := runtime.NewScheme()
	utilruntime.Must(v1.AddToScheme(scheme))
	utilruntime.Must(v1beta1.AddToScheme(scheme))
	utilruntime.Must(v1alpha1.AddToScheme(scheme))

	port, err := freePort()
	if err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certificates})
	server.Register("/convert", conversion.NewWebhookHandler(scheme, conversion.NewRegistry()))
	go func() {
		for server.StartedChecker()(nil) != nil {
			time.Sleep(10 * time.Millisecond)
		}
		fmt.Printf("https://127.0.0.1:%d/convert\n", port)
	}()
	return server.Start(signals.SetupSignalHandler())
}

// freePort asks the system for a port: the server takes port 0 for its default, which another one may have.
func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return listener.Addr().(*net.TCPAddr).Port, listener.Close()
}
