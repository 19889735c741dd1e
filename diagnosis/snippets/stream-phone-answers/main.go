package main

import (
	"context"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

type frame struct {
	Type string `json:"type"`
	Text string `json:"text"`
	Last bool   `json:"last"`
}

var upgrader = websocket.Upgrader{}

// speak sends an answer in pieces, as your model yields them, until it is cancelled.
func speak(stop context.Context, done chan<- struct{}, call *websocket.Conn, text string) {
	defer close(done)
	for _, word := range strings.Split("You said: "+text, " ") {
		select {
		case <-stop.Done():
			return // no piece of the old answer after this
		case <-time.After(30 * time.Millisecond):
		}
		if stop.Err() != nil { // both may be ready, and select chooses at random
			return
		}
		if call.WriteJSON(frame{"text", word + " ", false}) != nil {
			return
		}
	}
	if stop.Err() != nil {
		return
	}
	call.WriteJSON(frame{"text", "", true}) // closes the answer; the empty piece is not spoken
}

func voice(w http.ResponseWriter, r *http.Request) {
	call, err := upgrader.Upgrade(w, r, nil) // verify the upgrade as well, before this line
	if err != nil {
		return
	}
	defer call.Close()
	call.SetReadLimit(64 << 10)
	halt := func() {} // cancels the running answer of this call, and waits for its end
	defer func() { halt() }()
	for {
		var f frame
		if call.ReadJSON(&f) != nil {
			return
		}
		switch f.Type { // session.started needs no answer: the service greets; ignore unknown types
		case "prompt", "interrupt", "session.ended":
			halt()
		}
		if f.Type == "prompt" {
			stop, cancel := context.WithCancel(context.Background())
			done := make(chan struct{})
			go speak(stop, done, call, f.Text) // so that interruptions are read while we speak
			halt = func() { cancel(); <-done }
		}
	}
}

func main() {
	http.HandleFunc("/voice", voice)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
