from flask import Flask, request

TEXT_CHARACTERS = 4000
NOTE_CHARACTERS = 500

app = Flask(__name__)


# Verify the signature first.
@app.post("/chat")
def chat():
    event = request.get_json()
    data = event.get("data") or {}
    if event.get("type") != "message.received" or (data.get("autoReply") or {}).get("state") != "on":
        return "", 204  # stay quiet
    text = (data.get("message") or {}).get("text") or ""  # fields that are new, null or missing are not errors
    # Flask sends a dict as JSON with its type. str(answer) would write single quotes, True and None, not JSON, and
    # a returned json.dumps(answer) would be sent as text/html.
    return {
        "text": f"You wrote: {text}"[:TEXT_CHARACTERS],  # output of your model; Python counts characters like the service
        "action": "none",  # none, handover or end: any other word hands the conversation to the team
        "note": f"Answered by the bot: {text}"[:NOTE_CHARACTERS],  # for the team only
    }
