package workspace

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/csv"
	"os"
	"strings"
	"text/template"
)

// TokenFile lists the users in the format of kube-apiserver's --token-auth-file.
const TokenFile = "tokens.csv"

// User is a user whom the server authenticates by a bearer token.
type User struct {
	Name       string
	Groups     []string
	Kubeconfig string // name of the user's kubeconfig in the workspace
	Token      string
}

// Admin returns a user who may do anything, with a new token.
func Admin() User {
	return User{Name: "crdible-admin", Groups: []string{"system:masters"}, Kubeconfig: "kubeconfig", Token: rand.Text()}
}

// Guest returns a user who has only the permissions of every authenticated user,
// with a new token.
func Guest() User {
	return User{Name: "crdible-guest", Kubeconfig: "guest.kubeconfig", Token: rand.Text()}
}

// WriteUsers writes the token file, and a kubeconfig for each user for the server
// at the given URL. It needs the certificate authority that WriteKeys writes.
func (w *Workspace) WriteUsers(server string, users ...User) error {
	authority, err := os.ReadFile(w.Path(CAFile))
	if err != nil {
		return err
	}
	var tokens bytes.Buffer
	rows := csv.NewWriter(&tokens)
	for _, user := range users {
		row := []string{user.Token, user.Name, user.Name, strings.Join(user.Groups, ",")}
		if err := rows.Write(row); err != nil {
			return err
		}
		content, err := kubeconfig(server, authority, user)
		if err != nil {
			return err
		}
		if err := w.write(user.Kubeconfig, content); err != nil {
			return err
		}
	}
	rows.Flush()
	return w.write(TokenFile, tokens.Bytes())
}

// A template, because a YAML library would be the only dependency of this
// package. No value needs quoting.
var kubeconfigTemplate = template.Must(template.New("kubeconfig").Parse(`apiVersion: v1
kind: Config
current-context: crdible-upstream
clusters:
- name: crdible-upstream
  cluster:
    server: {{.Server}}
    certificate-authority-data: {{.Authority}}
contexts:
- name: crdible-upstream
  context:
    cluster: crdible-upstream
    user: {{.User.Name}}
users:
- name: {{.User.Name}}
  user:
    token: {{.User.Token}}
`))

func kubeconfig(server string, authority []byte, user User) ([]byte, error) {
	var text bytes.Buffer
	err := kubeconfigTemplate.Execute(&text, struct {
		Server, Authority string
		User              User
	}{server, base64.StdEncoding.EncodeToString(authority), user})
	return text.Bytes(), err
}
