package main

import (
	"encoding/json"
	"log"
	"net/http"
)

// answer has tags, because without them the fields would be named Text, Action and Note.
type answer struct {
	Text   string `json:"text"`
	Action string `json:"action"` // none, handover or end: any other word hands the conversation to the team
	Note   string `json:"note"`   // for the team only
}

// cut truncates between characters: s[:n] counts bytes and may leave half of one.
func cut(text string, characters int) string {
	if runes := []rune(text); len(runes) > characters {
		return string(runes[:characters])
	}
	return text
}

// chat verifies the signature first; then json.Unmarshal reads the verified bytes. Fields that are new, null
// or missing are not errors.
func chat(w http.ResponseWriter, r *http.Request) {
	var event struct {
		Type string
		Data struct {
			Message   struct{ Text string }
			AutoReply struct{ State string }
		}
	}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&event)
	if err != nil || event.Type != "message.received" || event.Data.AutoReply.State != "on" {
		w.WriteHeader(http.StatusNoContent) // stay quiet
		return
	}
	text := event.Data.Message.Text
	w.Header().Set("Content-Type", "application/json") // before the first byte; Go would guess text/plain
	json.NewEncoder(w).Encode(answer{cut("You wrote: "+text, 4000), "none", cut("Answered by the bot: "+text, 500)})
}

func main() {
	http.HandleFunc("/chat", chat)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
