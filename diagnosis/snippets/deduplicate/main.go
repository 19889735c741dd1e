package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// work is the outcome of one delivery. In a database: a unique column, written in the same transaction as the effect.
type work struct {
	sync.Mutex
	done bool
}

var deliveries sync.Map                          // delivery id to *work
var crm = http.Client{Timeout: 10 * time.Second} // concurrent deliveries wait for it

func keep(appointment json.RawMessage) bool {
	kept, err := crm.Post(os.Getenv("CRM_URL")+"/appointments", "application/json", bytes.NewReader(appointment))
	if err != nil {
		return false
	}
	kept.Body.Close()
	return kept.StatusCode < 300
}

// hooks verifies the signature first. The id is unique per delivery; two can have the same body, contact or time.
func hooks(w http.ResponseWriter, r *http.Request) {
	var event struct{ Data json.RawMessage }
	id := r.Header.Get("X-Svc-Delivery-Id")
	if id == "" || json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&event) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	known, _ := deliveries.LoadOrStore(id, &work{})
	delivery := known.(*work)
	delivery.Lock() // a second delivery waits while the first is being processed
	defer delivery.Unlock()
	if !delivery.done && !keep(event.Data) {
		w.WriteHeader(http.StatusInternalServerError) // not recorded, so that it can be repeated
		return
	}
	delivery.done = true
	w.WriteHeader(http.StatusOK)
}

func main() {
	http.HandleFunc("/hooks", hooks)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
