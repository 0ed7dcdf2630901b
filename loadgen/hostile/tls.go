package hostile

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"sync"
	"time"
)

// identity makes the key and the self-signed certificate of all servers. It is
// good for localhost and the loopback addresses, from 2000 to 2100.
var identity = sync.OnceValue(func() tls.Certificate { return madeFrom(func(*x509.Certificate) {}) })

// madeFrom makes a certificate like that, with a change.
func madeFrom(change func(*x509.Certificate)) tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err) // the system has no randomness
	}
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "hostile"},
		NotBefore:    time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		IsCA:         true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	change(t)
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// CertPEM returns the certificate of the servers, for a client to trust.
func CertPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: identity().Certificate[0]})
}

// serverTLS returns the settings of a server over a transport.
func serverTLS(over Transport) *tls.Config {
	protocol := "http/1.1"
	if over == H2 {
		protocol = "h2"
	}
	return &tls.Config{Certificates: []tls.Certificate{identity()}, NextProtos: []string{protocol}}
}

// KeyPEM returns the key of [CertPEM], for servers of other makes.
func KeyPEM() []byte {
	der, err := x509.MarshalPKCS8PrivateKey(identity().PrivateKey)
	if err != nil {
		panic(err) // it was made here
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}
