package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

var headerForm = regexp.MustCompile(`^t=([0-9]{1,15}),v1=([0-9a-f]{64})$`)
var secret = []byte(os.Getenv("AGENT_SECRET")) // the whole secret including whsec_; it is not base64
var upgrader = websocket.Upgrader{}

// isSigned reports whether the upgrade is signed, over the call id from the header, not over the empty body.
func isSigned(r *http.Request) bool {
	parts := headerForm.FindStringSubmatch(strings.Join(r.Header.Values("X-Svc-Signature"), ","))
	callID := r.Header.Get("X-Svc-Call-Id")
	if parts == nil || callID == "" || len(secret) == 0 {
		return false // anyone could sign with an empty key
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(parts[1] + "." + callID))
	given, _ := hex.DecodeString(parts[2])
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	off := time.Now().Unix() - t
	return hmac.Equal(mac.Sum(nil), given) && -300 <= off && off <= 300
}

func voice(w http.ResponseWriter, r *http.Request) {
	if !isSigned(r) {
		w.WriteHeader(http.StatusUnauthorized) // before Upgrade, so that the upgrade itself is rejected
		return
	}
	call, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer call.Close()
	for err == nil {
		_, _, err = call.ReadMessage() // speak here
	}
}

func main() {
	http.HandleFunc("/voice", voice)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
