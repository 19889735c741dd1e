package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var headerForm = regexp.MustCompile(`^t=([0-9]{1,15}),v1=([0-9a-f]{64})$`)
var secret = []byte(os.Getenv("AGENT_SECRET")) // the whole secret including whsec_; it is not base64

// isSigned reports whether the header has a fresh signature of exactly these bytes.
func isSigned(header string, payload []byte) bool {
	parts := headerForm.FindStringSubmatch(header)
	if parts == nil || len(secret) == 0 {
		return false // anyone could sign with an empty key
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(parts[1] + "."))
	mac.Write(payload)
	given, _ := hex.DecodeString(parts[2])
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	off := time.Now().Unix() - t
	return hmac.Equal(mac.Sum(nil), given) && -300 <= off && off <= 300
}

func chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20)) // the raw bytes
	if err != nil || !isSigned(strings.Join(r.Header.Values("X-Svc-Signature"), ","), body) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.WriteHeader(http.StatusNoContent) // and only now json.Unmarshal(body, &event)
}

func main() {
	http.HandleFunc("/chat", chat)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
