// A receiver in Go, with its standard library alone. It verifies v1 with a secret, or v1a with a public key of the
// endpoint (/.well-known/webhook-public-keys/<endpoint id>), which is no secret.
//
//	LAUNCHWIRE_WEBHOOK_SECRET=whsec_... PORT=8000 go run receiver.go
//	LAUNCHWIRE_WEBHOOK_PUBLIC_KEY=whpk_... PORT=8000 go run receiver.go
package main

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const bodyBytesMax = 128 * 1024

// keys verify deliveries: secrets (whsec_…) for v1, public keys (whpk_…) for v1a.
type keys struct {
	secrets    [][]byte
	publicKeys []ed25519.PublicKey
}

// readKeys reads keys with white space between them. It fails unless all are keys, and there is one.
func readKeys(text string) (keys, error) {
	var found keys
	for _, part := range strings.Fields(text) {
		kind, encoded, _ := strings.Cut(part, "_")
		key, err := base64.StdEncoding.DecodeString(encoded)
		switch {
		case err == nil && kind == "whsec" && len(key) >= 24 && len(key) <= 64:
			found.secrets = append(found.secrets, key)
		case err == nil && kind == "whpk" && len(key) == ed25519.PublicKeySize:
			found.publicKeys = append(found.publicKeys, key)
		default:
			return keys{}, errors.New("a key is whsec_ and base64 of 24 to 64 bytes, or whpk_ and base64 of 32")
		}
	}
	if len(found.secrets)+len(found.publicKeys) == 0 {
		return keys{}, errors.New("there is no key")
	}
	return found, nil
}

// isGenuine reports whether one of the keys vouches for the body, within five minutes.
func (known keys) isGenuine(header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	content := append([]byte(id+"."+timestamp+"."), body...)
	// The service sends fewer; each costs a stranger nothing, and this process a hash of the body.
	for _, part := range strings.SplitN(header.Get("webhook-signature"), " ", 16) {
		version, text, _ := strings.Cut(part, ",")
		signature, err := base64.StdEncoding.Strict().DecodeString(text)
		if err == nil && (version == "v1" && known.hasMAC(content, signature) || version == "v1a" && known.hasSigned(content, signature)) {
			return true
		}
	}
	return false
}

func (known keys) hasMAC(content, signature []byte) bool {
	for _, secret := range known.secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(content)
		if hmac.Equal(mac.Sum(nil), signature) {
			return true
		}
	}
	return false
}

func (known keys) hasSigned(content, signature []byte) bool {
	for _, key := range known.publicKeys {
		if ed25519.Verify(key, content, signature) {
			return true
		}
	}
	return false
}

func main() {
	// The newest secret and, while a rotation overlaps, the one before.
	known, err := readKeys(os.Getenv("LAUNCHWIRE_WEBHOOK_SECRET") + " " + os.Getenv("LAUNCHWIRE_WEBHOOK_PUBLIC_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		var event struct{ Type string }
		if !known.isGenuine(request.Header, body) || json.Unmarshal(body, &event) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		// Store the event under its id here, once, before you respond; process it afterwards.
		fmt.Println(request.Header.Get("webhook-id"), event.Type)
		response.WriteHeader(http.StatusNoContent)
	})
	server := http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), ReadTimeout: 10 * time.Second}
	log.Fatal(server.ListenAndServe())
}
