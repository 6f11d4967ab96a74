package workspace

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/csv"
	"encoding/pem"
	"os"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, space *Workspace, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(space.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func withKeys(t *testing.T) *Workspace {
	t.Helper()
	space := create(t)
	if err := space.WriteKeys(); err != nil {
		t.Fatal(err)
	}
	return space
}

func TestServerCertificateIsSignedByTheAuthority(t *testing.T) {
	space := withKeys(t)
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(read(t, space, CAFile)) {
		t.Fatal("no certificate in " + CAFile)
	}
	pair, err := tls.LoadX509KeyPair(space.Path(ServerCertificateFile), space.Path(ServerKeyFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: host}); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestServiceAccountKeyIsReadable(t *testing.T) {
	block, _ := pem.Decode(read(t, withKeys(t), ServiceAccountKeyFile))
	if block == nil {
		t.Fatal("not PEM")
	}
	if _, err := x509.ParseECPrivateKey(block.Bytes); err != nil {
		t.Error(err)
	}
}

func TestUsersAreInTokenFileAndKubeconfigs(t *testing.T) {
	space := withKeys(t)
	admin, guest := Admin(), Guest()
	if admin.Token == guest.Token {
		t.Fatal("two users with one token")
	}
	if err := space.WriteUsers("https://127.0.0.1:6443", admin, guest); err != nil {
		t.Fatal(err)
	}

	rows, err := csv.NewReader(strings.NewReader(string(read(t, space, TokenFile)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{admin.Token, "crdible-admin", "crdible-admin", "system:masters"},
		{guest.Token, "crdible-guest", "crdible-guest", ""},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("tokens = %q, want %q", rows, want)
	}

	authority := base64.StdEncoding.EncodeToString(read(t, space, CAFile))
	for file, user := range map[string]User{"kubeconfig": admin, "guest.kubeconfig": guest} {
		want := `apiVersion: v1
kind: Config
current-context: crdible-upstream
clusters:
- name: crdible-upstream
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: ` + authority + `
contexts:
- name: crdible-upstream
  context:
    cluster: crdible-upstream
    user: ` + user.Name + `
users:
- name: ` + user.Name + `
  user:
    token: ` + user.Token + "\n"
		if got := string(read(t, space, file)); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", file, got, want)
		}
	}
}

func TestSecretsAreReadableOnlyByTheUser(t *testing.T) {
	space := withKeys(t)
	if err := space.WriteUsers("https://127.0.0.1:6443", Admin()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{ServerKeyFile, ServiceAccountKeyFile, TokenFile, "kubeconfig"} {
		info, err := os.Stat(space.Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != 0o600 {
			t.Errorf("%s: permissions = %v, want 0600", name, got)
		}
	}
}
