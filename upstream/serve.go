package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/server/v3/embed"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	logsapi "k8s.io/component-base/logs/api/v1"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"

	"crdible/upstream/internal/lifeline"
	"crdible/upstream/internal/workspace"
)

// The supervisor starts its own binary as: crdible-upstream serve WORKSPACE
// [kube-apiserver flags]. It passes the listening socket as the first
// descriptor after stderr, and holds the other end of stdin.
const (
	serveCommand     = "serve"
	socketDescriptor = 3
)

// serve runs kube-apiserver, and the etcd that it needs, in this process. It never
// returns nil.
func serve(dir string, arguments []string) error {
	space, err := workspace.Open(dir)
	if err != nil {
		return err
	}
	listener, err := net.FileListener(os.NewFile(socketDescriptor, "socket"))
	if err != nil {
		return fmt.Errorf("%s is only for the supervisor: %w", serveCommand, err)
	}
	go func() {
		<-lifeline.Closed(os.Stdin)
		// The supervisor was killed, so this process cleans up.
		_ = space.Remove()
		os.Exit(exitFailure)
	}()

	return fmt.Errorf("kube-apiserver: %w", runServer(listener, space.Path("etcd"), arguments))
}

// startEtcd starts an etcd on a free loopback port and returns its URL.
func startEtcd(dir string) (string, error) {
	config := embed.NewConfig()
	config.Name = "crdible-upstream"
	config.Dir = dir
	config.UnsafeNoFsync = true // the data does not outlive the process
	config.EnableGRPCGateway = false
	// An embedded etcd warns of every request: its threshold for slow ones is zero unless set, and each release names it otherwise.
	config.LogLevel = "error"
	config.LogOutputs = []string{"stderr"}

	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls, config.AdvertiseClientUrls = anyPort, anyPort
	config.ListenPeerUrls, config.AdvertisePeerUrls = anyPort, anyPort
	config.InitialCluster = config.InitialClusterFromName(config.Name)

	etcd, err := embed.StartEtcd(config)
	if err != nil {
		return "", err
	}
	select {
	case <-etcd.Server.ReadyNotify():
		return "http://" + etcd.Clients[0].Addr().String(), nil
	case err := <-etcd.Err():
		return "", err
	}
}

// runServer does what the kube-apiserver command does, except for the listener,
// which cannot be passed by a flag: a socket that is already open cannot lose
// its port to another process. Without --etcd-servers it starts an etcd, whose
// data are in dir.
func runServer(listener net.Listener, dir string, arguments []string) error {
	chosen := options.NewServerRunOptions()
	flags := pflag.NewFlagSet("kube-apiserver", pflag.ContinueOnError)
	for _, set := range chosen.Flags().FlagSets {
		flags.AddFlagSet(set)
	}
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	chosen.SecureServing.Listener = listener
	if servers := &chosen.Etcd.StorageConfig.Transport.ServerList; len(*servers) == 0 {
		store, err := startEtcd(dir)
		if err != nil {
			return fmt.Errorf("etcd: %w", err)
		}
		*servers = []string{store}
	}

	components := chosen.GenericServerRunOptions.ComponentGlobalsRegistry
	if err := components.Set(); err != nil {
		return err
	}
	gates := components.FeatureGateFor(basecompatibility.DefaultKubeComponent)
	if err := logsapi.ValidateAndApply(chosen.Logs, gates); err != nil {
		return err
	}
	rest.SetDefaultWarningHandler(rest.NoWarnings{})

	ctx := context.Background()
	completed, err := chosen.Complete(ctx)
	if err != nil {
		return err
	}
	if errs := completed.Validate(); len(errs) > 0 {
		return utilerrors.NewAggregate(errs)
	}
	return app.Run(ctx, completed)
}
