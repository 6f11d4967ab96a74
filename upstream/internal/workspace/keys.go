package workspace

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"time"
)

// The files that WriteKeys writes.
const (
	CAFile                = "ca.crt"
	ServerCertificateFile = "server.crt"
	ServerKeyFile         = "server.key"
	// ServiceAccountKeyFile signs and verifies service account tokens.
	ServiceAccountKeyFile = "service-account.key"
)

// lifetime of the certificates: longer than any run.
const lifetime = 365 * 24 * time.Hour

// WriteKeys generates a certificate authority, a certificate for 127.0.0.1 and
// localhost signed by it, and a key for service account tokens. The authority's
// own key is discarded. All keys are elliptic curve keys, because generating RSA
// keys would noticeably delay the start.
func (w *Workspace) WriteKeys() error {
	authorityKey, err := newKey()
	if err != nil {
		return err
	}
	authority := certificate("crdible-upstream-ca")
	authority.IsCA = true
	authority.BasicConstraintsValid = true
	authority.KeyUsage = x509.KeyUsageCertSign
	if err := w.writeCertificate(CAFile, authority, authority, authorityKey, authorityKey); err != nil {
		return err
	}

	serverKey, err := newKey()
	if err != nil {
		return err
	}
	server := certificate("crdible-upstream")
	server.KeyUsage = x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	server.DNSNames = []string{"localhost"}
	server.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	if err := w.writeCertificate(ServerCertificateFile, server, authority, serverKey, authorityKey); err != nil {
		return err
	}
	if err := w.writeKey(ServerKeyFile, serverKey); err != nil {
		return err
	}

	accountKey, err := newKey()
	if err != nil {
		return err
	}
	return w.writeKey(ServiceAccountKeyFile, accountKey)
}

func newKey() (*ecdsa.PrivateKey, error) {
	return ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
}

func certificate(name string) *x509.Certificate {
	now := time.Now()
	// CreateCertificate sets the serial number.
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), // tolerates a clock that is set back a little
		NotAfter:  now.Add(lifetime),
	}
}

func (w *Workspace) writeCertificate(name string, subject, issuer *x509.Certificate, key, issuerKey *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, subject, issuer, key.Public(), issuerKey)
	if err != nil {
		return err
	}
	return w.write(name, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func (w *Workspace) writeKey(name string, key *ecdsa.PrivateKey) error {
	// Service account keys must be in the SEC 1 format; TLS keys may have any.
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return w.write(name, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}))
}
