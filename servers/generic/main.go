// Runs the generic control plane of Kubernetes, which is kube-apiserver without pods, nodes and services, with an
// etcd of its own on the loopback interface. It is built with the modules of upstream/.
//
//	generic FOLDER
//
// FOLDER holds its data, certificates and log. When it is ready, it prints the path of a kubeconfig.
package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
	"k8s.io/kubernetes/pkg/controlplane/apiserver/samples/generic/server"
)

const (
	// Only who can connect to the loopback interface of this machine could use it.
	token = "crdible"
	// How long it may take until it is ready.
	patience = time.Minute
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generic FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "generic:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	store, err := startEtcd(filepath.Join(folder, "etcd"))
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	flags, kubeconfig, err := credentials(folder, address)
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	command := server.NewCommand()
	command.SetArgs(append(flags,
		"--etcd-servers="+store,
		"--bind-address=127.0.0.1",
		"--secure-port="+port,
		"--authorization-mode=AlwaysAllow",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--api-audiences=crdible",
		// A single client must not wait behind its own requests.
		"--enable-priority-and-fairness=false",
	))
	ended := make(chan error, 1)
	go func() { ended <- execute(command) }()
	ready := make(chan error, 1)
	go func() { ready <- awaitReady(kubeconfig) }()
	for {
		select {
		case err := <-ready:
			if err != nil {
				return err
			}
			fmt.Println(kubeconfig)
		case err := <-ended:
			return err
		}
	}
}

// execute runs the command until it gets a signal.
func execute(command *cobra.Command) error {
	command.SilenceErrors = true
	return command.Execute()
}

// startEtcd starts an etcd on a free port, and returns its URL.
func startEtcd(folder string) (string, error) {
	config := embed.NewConfig()
	config.Dir = folder
	config.UnsafeNoFsync = true // the data does not outlive the process
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

// freeAddress returns an address of the loopback interface that nothing listens at.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// credentials writes keys, a certificate and a kubeconfig for the server at this address. It returns the flags that
// name them, and the path of the kubeconfig.
func credentials(folder, address string) ([]string, string, error) {
	certificate, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.IPv4(127, 0, 0, 1)}, nil)
	if err != nil {
		return nil, "", err
	}
	ofAccounts, err := keyutil.MakeEllipticPrivateKeyPEM()
	if err != nil {
		return nil, "", err
	}
	files := []struct {
		flags   []string
		content []byte
	}{
		{[]string{"tls-cert-file"}, certificate},
		{[]string{"tls-private-key-file"}, key},
		{[]string{"service-account-key-file", "service-account-signing-key-file"}, ofAccounts},
		{[]string{"token-auth-file"}, []byte(token + ",crdible,crdible,system:masters\n")},
	}
	var flags []string
	for _, file := range files {
		path := filepath.Join(folder, file.flags[0])
		if err := os.WriteFile(path, file.content, 0o600); err != nil {
			return nil, "", err
		}
		for _, flag := range file.flags {
			flags = append(flags, "--"+flag+"="+path)
		}
	}
	const name = "generic"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: "https://" + address, CertificateAuthorityData: certificate}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	kubeconfig := filepath.Join(folder, "kubeconfig")
	return flags, kubeconfig, clientcmd.WriteToFile(*config, kubeconfig)
}

// awaitReady waits until the server is ready and has the namespace default.
func awaitReady(kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		_, err := client.RESTClient().Get().AbsPath("/readyz").DoRaw(context.Background())
		if err == nil {
			_, err = client.CoreV1().Namespaces().Get(context.Background(), metav1.NamespaceDefault, metav1.GetOptions{})
		}
		if err == nil || time.Since(begun) > patience {
			return err
		}
	}
}
