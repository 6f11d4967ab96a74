// Crdible-upstream runs the real kube-apiserver with its own etcd on the loopback
// interface, prints the path of a kubeconfig when it is ready, and leaves nothing
// behind. The README describes how to use it.
//
// It runs as two processes of one binary. This one, the supervisor, owns the
// temporary directory and the listening socket. The other one (serve.go) runs
// etcd and kube-apiserver, which may end their process at any time: by a panic,
// by klog.Fatal, by os.Exit. Whichever process ends first, and for whatever
// reason, the other one removes the directory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// Exit codes. A requested stop exits with 0.
const (
	exitFailure = 1
	exitUsage   = 2
)

type settings struct {
	port           int
	parentDir      string
	timeout        time.Duration
	rbac           bool
	featureGates   string
	store          string
	exitWithParent bool
	verbose        bool
	serverFlags    []string
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == serveCommand {
		err := serve(os.Args[2], os.Args[3:])
		fmt.Fprintln(os.Stderr, "crdible-upstream:", err)
		os.Exit(exitFailure)
	}

	chosen, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		os.Exit(exitUsage)
	}
	if err := supervise(chosen); err != nil {
		fmt.Fprintln(os.Stderr, "crdible-upstream:", err)
		os.Exit(exitFailure)
	}
}

// parse reads the command line. Errors are written to output, followed by the
// usage.
func parse(arguments []string, output io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("crdible-upstream", flag.ContinueOnError)
	flags.SetOutput(output)
	flags.IntVar(&s.port, "port", 0, "serve on this `port` of 127.0.0.1; 0 selects a free one")
	flags.StringVar(&s.parentDir, "data", "", "create the temporary directory inside this `directory` (default: the system's)")
	flags.DurationVar(&s.timeout, "timeout", 5*time.Minute, "fail if the server is not ready after this `time`")
	flags.BoolVar(&s.rbac, "rbac", false, "authorize by RBAC, and add the user crdible-guest, who has no permissions; guest.kubeconfig is next to the printed kubeconfig")
	flags.StringVar(&s.featureGates, "feature-gates", "", "kube-apiserver's feature `gates`, as in Name=true,Other=false")
	flags.StringVar(&s.store, "store", "", "store everything in the etcd, or what has its interface, at this `URL` (default: an etcd of its own)")
	flags.BoolVar(&s.exitWithParent, "exit-with-parent", true, "stop when the parent process exits, or when stdin is a pipe that is closed")
	flags.BoolVar(&s.verbose, "v", false, "also write the log to stderr")
	flags.Usage = func() {
		fmt.Fprint(output, "Runs a real kube-apiserver and prints the path of its kubeconfig when it is ready.\n\n"+
			"Usage: crdible-upstream [flags] [-- kube-apiserver flags]\n\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(arguments); err != nil {
		return s, err
	}

	s.serverFlags = flags.Args()
	parsed := len(arguments) - flags.NArg()
	if flags.NArg() > 0 && (parsed == 0 || arguments[parsed-1] != "--") {
		err := fmt.Errorf("unexpected argument %q: put flags of kube-apiserver after --", flags.Arg(0))
		fmt.Fprintln(output, err)
		flags.Usage()
		return s, err
	}
	return s, nil
}
