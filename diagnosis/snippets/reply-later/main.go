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

// API key of the assistant's inbox; not the secret that signs messages.
var apiKey = os.Getenv("SVC_API_KEY")

// The API key goes only to this address.
var service = http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}
var taken sync.Map // several processes need a shared store: a unique column in your database

type event struct {
	ID   string
	Type string
	Data struct {
		ReplyURL  string `json:"replyUrl"`
		Message   struct{ Text string }
		AutoReply struct{ State string }
	}
}

type answer struct {
	Text   string `json:"text"`
	Action string `json:"action"`
	Note   string `json:"note,omitempty"`
}

// think is a placeholder for your slow model. Give yours a timeout.
func think(e event) (answer, error) {
	return answer{Text: "You wrote: " + e.Data.Message.Text, Action: "none"}, nil
}

// reply posts to the unchanged address, once.
func reply(e event) {
	words, err := think(e)
	if err != nil { // a customer who waits in vain is worse than a handover
		words = answer{Action: "handover", Note: "The assistant failed."}
	}
	body, _ := json.Marshal(words)
	request, err := http.NewRequest(http.MethodPost, e.Data.ReplyURL, bytes.NewReader(body))
	if err != nil {
		log.Print("The address for the reply is none.")
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Api-Key", apiKey)
	sent, err := service.Do(request)
	if err != nil {
		log.Print("The reply had no answer.")
		return
	}
	sent.Body.Close()
	if sent.StatusCode >= 300 && sent.StatusCode != http.StatusConflict { // 409: the AI no longer has it; drop the answer
		log.Printf("The reply was answered %d.", sent.StatusCode)
	}
}

// chat verifies the signature first: it authenticates the address that gets the key.
func chat(w http.ResponseWriter, r *http.Request) {
	var e event
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&e)
	if apiKey == "" {
		w.WriteHeader(http.StatusInternalServerError) // SVC_API_KEY is not set: do not promise a reply with 202
		return
	}
	if err != nil || e.Type != "message.received" || e.Data.AutoReply.State != "on" {
		w.WriteHeader(http.StatusNoContent) // stay quiet
		return
	}
	// A repetition of the event also gets a 202, and no second reply.
	if _, known := taken.LoadOrStore(e.ID, true); !known {
		go reply(e)
	}
	w.WriteHeader(http.StatusAccepted)
}

func main() {
	http.HandleFunc("/chat", chat)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
