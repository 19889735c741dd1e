package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"
)

type event struct {
	CallbackURL string                        `json:"callbackUrl"`
	ProjectData struct{ SvcProjectID *int64 } `json:"projectData"`
}

var service = http.Client{Timeout: 10 * time.Second}
var taken sync.Map // several processes need a shared store: a unique column in your database

func crm(w http.ResponseWriter, r *http.Request) {
	var e event
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&e) != nil || e.CallbackURL == "" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// A repetition of the event also gets a 202, and no second callback.
	if _, known := taken.LoadOrStore(e.CallbackURL, true); !known {
		go callBack(e)
	}
	w.WriteHeader(http.StatusAccepted)
}

// callBack posts to the unchanged address, including its query. No token: it must not leave the endpoint.
func callBack(e event) {
	answer := map[string]any{"requestContactUpdate": false, "requestProjectUpdate": false}
	if id := e.ProjectData.SvcProjectID; id != nil { // not one case for all events without a project
		answer["requestProjectUpdate"] = true
		answer["projectData"] = map[string]string{"crmProjectId": fmt.Sprintf("case-%d", *id)} // ids are strings
	}
	body, _ := json.Marshal(answer)
	sent, err := service.Post(e.CallbackURL, "application/json", bytes.NewReader(body))
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
