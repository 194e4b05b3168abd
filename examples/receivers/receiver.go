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
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	tolerance    = 5 * time.Minute
	bodyBytesMax = 128 * 1024
)

type keys struct {
	// The newest secret and, while a rotation overlaps, the one before.
	secrets    [][]byte
	publicKeys []ed25519.PublicKey
}

func readKeys() keys {
	var found keys
	for _, text := range strings.Fields(os.Getenv("LAUNCHWIRE_WEBHOOK_SECRET")) {
		found.secrets = append(found.secrets, decode(text, "whsec_"))
	}
	for _, text := range strings.Fields(os.Getenv("LAUNCHWIRE_WEBHOOK_PUBLIC_KEY")) {
		key := decode(text, "whpk_")
		if len(key) != ed25519.PublicKeySize {
			log.Fatal("a public key has 32 bytes")
		}
		found.publicKeys = append(found.publicKeys, key)
	}
	if len(found.secrets)+len(found.publicKeys) == 0 {
		log.Fatal("set LAUNCHWIRE_WEBHOOK_SECRET or LAUNCHWIRE_WEBHOOK_PUBLIC_KEY")
	}
	return found
}

func decode(text, prefix string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, prefix))
	if err != nil || !strings.HasPrefix(text, prefix) {
		log.Fatalf("a key begins with %s, followed by base64", prefix)
	}
	return bytes
}

func (known keys) isGenuine(header http.Header, body []byte, now time.Time) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	content := append([]byte(id+"."+timestamp+"."), body...)
	signatures := strings.Split(header.Get("webhook-signature"), " ")
	for _, part := range signatures[:min(len(signatures), 16)] {
		version, text, _ := strings.Cut(part, ",")
		signature, err := base64.StdEncoding.DecodeString(text)
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

func min(left, right int) int {
	if left < right {
		return left
	}
	return right
}

func main() {
	known := readKeys()
	http.HandleFunc("/webhooks", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil {
			response.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		var event struct{ Type string }
		if !known.isGenuine(request.Header, body, time.Now()) || json.Unmarshal(body, &event) != nil {
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
