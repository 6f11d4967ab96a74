// Crdible-upstream runs the real kube-apiserver with an etcd of its own on the
// loopback interface, prints the path of a kubeconfig when it is ready, and
// leaves nothing behind. The README tells how to use it.
//
// It is two processes of one binary. This one, the supervisor, owns the
// temporary directory and the listening socket; the other one (serve.go) is
// etcd and kube-apiserver, which may end their process at any time: by a panic,
// by klog.Fatal, by os.Exit. Whichever of the two dies first, and however, the
// other one removes the directory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

// Exit codes; 0 also when it was told to stop.
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

// parse reads the command line. What is wrong with it is written to output,
// with the usage below.
func parse(arguments []string, output io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("crdible-upstream", flag.ContinueOnError)
	flags.SetOutput(output)
	flags.IntVar(&s.port, "port", 0, "serve on this `port` of 127.0.0.1; 0 is a free one")
	flags.StringVar(&s.parentDir, "data", "", "make the temporary directory inside this `directory` (default: the system's)")
	flags.DurationVar(&s.timeout, "timeout", time.Minute, "give up when it is not ready after this `time`")
	flags.BoolVar(&s.rbac, "rbac", false, "authorize by RBAC, and add the user crdible-guest, who has no permissions; guest.kubeconfig lies beside the printed kubeconfig")
	flags.StringVar(&s.featureGates, "feature-gates", "", "kube-apiserver's feature `gates`, as in Name=true,Other=false")
	flags.BoolVar(&s.exitWithParent, "exit-with-parent", true, "stop when the parent process ends, or when the pipe at stdin is closed")
	flags.BoolVar(&s.verbose, "v", false, "write the log to stderr too")
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
		err := fmt.Errorf("unexpected argument %q: flags of kube-apiserver go after --", flags.Arg(0))
		fmt.Fprintln(output, err)
		flags.Usage()
		return s, err
	}
	return s, nil
}
