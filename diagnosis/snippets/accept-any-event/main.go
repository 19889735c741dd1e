package main

import (
	"encoding/json"
	"log"
	"net/http"
	"strconv"
)

// Until October 2026 eventType was a number; accept both forms. As JSON they are two spellings of one name.
var names = map[string]string{}

func init() {
	for at, name := range []string{
		"IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted",
	} {
		names[strconv.Itoa(at)] = name
		names[strconv.Quote(name)] = name
	}
}

func crm(w http.ResponseWriter, r *http.Request) {
	// No DisallowUnknownFields: every field may be null, missing or new. Read the fields that you need.
	var event struct {
		EventType   json.RawMessage
		ContactData struct{ PhoneNumber *string }
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&event) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	name, phone := names[string(event.EventType)], event.ContactData.PhoneNumber
	if (name != "IncomingCallLookup" && name != "NewConversation") || phone == nil {
		w.WriteHeader(http.StatusNoContent) // an unknown event is not an error: there is no data to add
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"requestContactUpdate": true,
		"contactData":          map[string]string{"crmContactId": "customer-" + *phone}, // ids are strings
		"requestProjectUpdate": false,
	})
}

func main() {
	http.HandleFunc("/crm", crm)
	log.Fatal(http.ListenAndServe("127.0.0.1:3000", nil))
}
