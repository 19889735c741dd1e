package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"log"
	"net/http"
	"os"
)

var token = os.Getenv("WEBHOOK_TOKEN")

// hasToken compares the whole header in constant time: hashes always have the same length.
func hasToken(r *http.Request) bool {
	given := sha256.Sum256([]byte(r.Header.Get("Authorization")))
	expected := sha256.Sum256([]byte("Bearer " + token))
	return token != "" && subtle.ConstantTimeCompare(given[:], expected[:]) == 1
}

func crm(w http.ResponseWriter, r *http.Request) {
	if !hasToken(r) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/crm", crm)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
