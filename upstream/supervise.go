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
	// reportedLines of the log explain a failure: klog prints one line per
	// error, and what ends the server comes last.
	reportedLines  = 20
	readyInterval  = 25 * time.Millisecond
	followInterval = 100 * time.Millisecond
)

// supervise runs the server until somebody wants it to stop. It returns an
// error if the server did not become ready, or ended by itself.
func supervise(chosen settings) (err error) {
	// First of all, so that no signal ends this process before it has cleaned up.
	stop := stopRequests(chosen.exitWithParent)

	space, err := workspace.Create(chosen.parentDir)
	if err != nil {
		return fmt.Errorf("cannot make a temporary directory: %w", err)
	}
	defer func() {
		err = errors.Join(err, space.Remove())
	}()

	listener, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", chosen.port))
	if err != nil {
		return err
	}
	// The server has its own copy of the socket. It must be the only one soon,
	// or clients of a dead server would wait instead of being refused.
	defer listener.Close()
	url := "https://" + listener.Addr().String()

	if err := space.WriteKeys(); err != nil {
		return fmt.Errorf("cannot make keys: %w", err)
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
	// Killed at once: a graceful end can take a minute, and what it would save
	// is about to be removed.
	defer func() {
		_ = server.Kill() // fails only if it has ended already
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

// stopRequests closes its channel when the server is no longer wanted.
func stopRequests(exitWithParent bool) <-chan struct{} {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	// Channels that stay nil never deliver.
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

// start starts the other process. The channel is closed when that has ended.
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
	command.ExtraFiles = []*os.File{socket} // becomes descriptor 3
	command.Stdout, command.Stderr = log, log
	// A group of its own: a signal for our whole group, even SIGKILL, leaves the
	// server alive to notice that its stdin was closed, and to clean up.
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

// follow copies a growing file for as long as this process lives. The server
// itself writes to the file only: a stderr that nobody reads must neither stop
// it nor keep us from ending.
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

// serverFlags are the flags of kube-apiserver; the user's come last and so win.
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
		// No controller makes the accounts that it would ask for.
		"--disable-admission-plugins=ServiceAccount",
		// A single client is not to be queued behind itself.
		"--enable-priority-and-fairness=false",
		"--service-cluster-ip-range=10.0.0.0/24",
		// Endpoints may not be loopback addresses, and nobody needs ours; the
		// address is given, since finding one fails on a machine without a network.
		"--endpoint-reconciler-type=none",
		"--advertise-address=127.0.0.1",
	}
	if chosen.featureGates != "" {
		flags = append(flags, "--feature-gates="+chosen.featureGates)
	}
	return append(flags, chosen.serverFlags...)
}

// waitUntilReady asks as the printed kubeconfig's user, so that the user, too,
// is known to work. Its error tells what was wrong last.
func waitUntilReady(ctx context.Context, space *workspace.Workspace, url, token string) error {
	authority, err := os.ReadFile(space.Path(workspace.CAFile))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}},
		// The socket is open before anybody accepts.
		Timeout: time.Second,
	}
	defer client.CloseIdleConnections()

	// Ready does not imply that the namespace which everybody uses first exists.
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
