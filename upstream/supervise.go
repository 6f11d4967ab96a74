package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"crdible/upstream/internal/lifeline"
	"crdible/upstream/internal/workspace"
)

const (
	logFile = "log"
	// reportedLines is the number of log lines that explain a failure: klog writes
	// one line per error, and the last ones explain why the server ended.
	reportedLines  = 20
	readyInterval  = 25 * time.Millisecond
	followInterval = 100 * time.Millisecond
)

// supervise runs the server until it is asked to stop. It returns an error if the
// server does not become ready, or ends by itself.
func supervise(chosen settings) (err error) {
	// First, so that no signal ends this process before it has cleaned up.
	stop := stopRequests(chosen.exitWithParent)

	space, err := workspace.Create(chosen.parentDir)
	if err != nil {
		return fmt.Errorf("cannot create a temporary directory: %w", err)
	}
	defer func() {
		err = errors.Join(err, space.Remove())
	}()

	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", chosen.port))
	if err != nil {
		return err
	}
	// The server has its own copy of the socket. This one is closed soon, because
	// clients of a dead server would otherwise wait instead of being refused.
	defer listener.Close()
	url := "https://" + listener.Addr().String()

	if err := space.WriteKeys(); err != nil {
		return fmt.Errorf("cannot generate keys: %w", err)
	}
	admin := workspace.Admin()
	users := []workspace.User{admin}
	if chosen.rbac {
		users = append(users, workspace.Guest())
	}
	if err := space.WriteUsers(url, users...); err != nil {
		return fmt.Errorf("cannot write kubeconfigs: %w", err)
	}

	server, ended, err := start(space, listener.(*net.TCPListener), chosen)
	if err != nil {
		return fmt.Errorf("cannot start the server: %w", err)
	}
	// Killed immediately: a graceful shutdown can take a minute, and its result
	// would be removed anyway.
	defer func() {
		_ = server.Kill() // fails only if it has already ended
		<-ended
	}()
	listener.Close()
	if chosen.verbose {
		go follow(space.Path(logFile), os.Stderr)
	}

	ctx, cancel := context.WithTimeout(context.Background(), chosen.timeout)
	defer cancel()
	ready := make(chan error, 1)
	go func() { ready <- waitUntilReady(ctx, space, url, admin.Token) }()

	for {
		select {
		case <-stop:
			return nil
		case err := <-ready:
			if err != nil {
				return withLog(fmt.Errorf("not ready after %v: %w", chosen.timeout, err), space)
			}
			if _, err := fmt.Println(space.Path(admin.Kubeconfig)); err != nil {
				return err
			}
		case <-ended:
			return withLog(errors.New("the server ended by itself"), space)
		}
	}
}

// stopRequests returns a channel that is closed when the server should stop.
func stopRequests(exitWithParent bool) <-chan struct{} {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	// A nil channel never delivers.
	var parentGone, stdinClosed <-chan struct{}
	if exitWithParent {
		parentGone = lifeline.ParentGone(os.Getppid)
		stdinClosed = lifeline.Closed(os.Stdin)
	}
	stop := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-parentGone:
		case <-stdinClosed:
		}
		close(stop)
	}()
	return stop
}

// start starts the server process. The channel is closed when it has ended.
func start(space *workspace.Workspace, listener *net.TCPListener, chosen settings) (*os.Process, <-chan struct{}, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	log, err := os.Create(space.Path(logFile))
	if err != nil {
		return nil, nil, err
	}
	socket, err := listener.File()
	if err != nil {
		return nil, nil, err
	}
	defer socket.Close()

	arguments := append([]string{serveCommand, space.Path("")}, serverFlags(space, chosen)...)
	command := exec.Command(executable, arguments...)
	command.Env = serverEnvironment(os.Environ())
	command.ExtraFiles = []*os.File{socket} // becomes descriptor 3
	command.Stdout, command.Stderr = log, log
	// Its own process group: a signal to this whole group, even SIGKILL, leaves the
	// server alive, so that it notices that its stdin was closed and cleans up.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if _, err := command.StdinPipe(); err != nil {
		return nil, nil, err
	}
	if err := command.Start(); err != nil {
		return nil, nil, err
	}

	ended := make(chan struct{})
	go func() {
		if err := command.Wait(); err != nil {
			fmt.Fprintln(log, "the server ended:", err)
		}
		log.Close()
		close(ended)
	}()
	return command.Process, ended, nil
}

// follow copies a growing file until this process ends. The server writes only to
// the file, because a stderr that is not read must neither block the server nor
// prevent this process from ending.
func follow(path string, output io.Writer) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	for {
		if _, err := io.Copy(output, file); err != nil {
			return
		}
		time.Sleep(followInterval)
	}
}

// serverEnvironment returns the environment of the server. It collects garbage a
// quarter as often as by default, which took a fifth of its time under a run, but
// as often as needed once it has 4 GiB; a GOGC or GOMEMLIMIT of the user takes
// precedence.
func serverEnvironment(own []string) []string {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, isSet := os.LookupEnv(name); isSet {
			return own
		}
	}
	return append(own, "GOGC=400", "GOMEMLIMIT=4GiB")
}

// serverFlags returns the flags of kube-apiserver; the user's flags are last, so
// that they take precedence.
func serverFlags(space *workspace.Workspace, chosen settings) []string {
	mode := "AlwaysAllow"
	if chosen.rbac {
		mode = "RBAC"
	}
	flags := []string{
		"--tls-cert-file=" + space.Path(workspace.ServerCertificateFile),
		"--tls-private-key-file=" + space.Path(workspace.ServerKeyFile),
		"--token-auth-file=" + space.Path(workspace.TokenFile),
		"--authorization-mode=" + mode,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=" + space.Path(workspace.ServiceAccountKeyFile),
		"--service-account-key-file=" + space.Path(workspace.ServiceAccountKeyFile),
		// No controller creates the accounts that it would require.
		"--disable-admission-plugins=ServiceAccount",
		// A single client must not wait behind its own requests.
		"--enable-priority-and-fairness=false",
		"--service-cluster-ip-range=10.0.0.0/24",
		// Endpoints must not be loopback addresses, and nothing uses them here. The
		// address is set, because detecting one fails on a machine without a network.
		"--endpoint-reconciler-type=none",
		"--advertise-address=127.0.0.1",
	}
	if chosen.featureGates != "" {
		flags = append(flags, "--feature-gates="+chosen.featureGates)
	}
	if chosen.store != "" {
		flags = append(flags, "--etcd-servers="+chosen.store)
	}
	return append(flags, chosen.serverFlags...)
}

// waitUntilReady sends requests as the user of the printed kubeconfig, which
// checks that this user works, too. Its error is that of the last attempt.
func waitUntilReady(ctx context.Context, space *workspace.Workspace, url, token string) error {
	authority, err := os.ReadFile(space.Path(workspace.CAFile))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
		// The socket is open before the server accepts connections.
		Timeout: time.Second,
	}
	defer client.CloseIdleConnections()

	// The server may be ready before the namespace default exists.
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default"} {
		for {
			err := ask(ctx, client, url+path, token)
			if err == nil {
				break
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(readyInterval):
			}
		}
	}
	return nil
}

func ask(ctx context.Context, client *http.Client, url, token string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %s", url, response.Status, body)
	}
	return nil
}

// withLog adds the end of the log, which is about to be removed.
func withLog(err error, space *workspace.Workspace) error {
	lines, logErr := space.LastLines(logFile, reportedLines)
	if logErr != nil {
		return errors.Join(err, logErr)
	}
	return fmt.Errorf("%w\nThe end of its log:\n%s", err, strings.Join(lines, "\n"))
}
