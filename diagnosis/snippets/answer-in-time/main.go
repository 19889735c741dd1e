package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const limit = 1500 * time.Millisecond // of the 2 seconds that a caller waits; the rest is for the network

// Without its own timeout, a hanging system prevents the callback.
var client = http.Client{Timeout: 5 * time.Second}

// work is the state and answer of one event.
type work struct {
	done     chan struct{} // closed when the answer is ready
	answer   []byte
	promised atomic.Bool // a callback
}

var works sync.Map // callbackUrl to *work; several processes need a shared store, for example a table in your database

type event struct {
	CallbackURL string                       `json:"callbackUrl"`
	ContactData struct{ PhoneNumber string } `json:"contactData"`
}

// lookUp always returns an answer, even if nothing was found.
func lookUp(e event) []byte {
	answer := map[string]any{"requestContactUpdate": false, "requestProjectUpdate": false}
	phone := url.QueryEscape(e.ContactData.PhoneNumber)
	found, err := client.Get(os.Getenv("CRM_URL") + "/customer-number?phone=" + phone)
	if err == nil {
		defer found.Body.Close()
		if number, err := io.ReadAll(found.Body); err == nil && found.StatusCode == http.StatusOK {
			answer["requestContactUpdate"] = true
			answer["contactData"] = map[string]string{"crmContactId": string(number)}
		}
	}
	body, _ := json.Marshal(answer)
	return body
}

func crm(w http.ResponseWriter, r *http.Request) {
	var e event
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&e) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// A repetition of the event joins the first: it gets the same answer, and no second callback.
	known, isAgain := works.LoadOrStore(e.CallbackURL, &work{done: make(chan struct{})})
	job := known.(*work)
	if !isAgain {
		go func() { job.answer = lookUp(e); close(job.done) }()
	}
	select {
	case <-job.done:
		if !job.promised.Load() {
			w.Header().Set("Content-Type", "application/json")
			w.Write(job.answer)
			return
		}
	case <-time.After(limit):
	}
	if job.promised.CompareAndSwap(false, true) {
		go callBack(e.CallbackURL, job)
	}
	w.WriteHeader(http.StatusAccepted) // a promise: exactly one callback within 5 minutes, even if nothing was found
}

func callBack(callbackURL string, job *work) {
	<-job.done
	sent, err := client.Post(callbackURL, "application/json", bytes.NewReader(job.answer))
	if err != nil {
		log.Print("The callback had no answer.")
		return
	}
	sent.Body.Close()
}

func main() {
	http.HandleFunc("/crm", crm)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
