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
    text = (data.get("message") or {}).get("text") or ""  # members that are new, null or missing are no errors
    # A dict becomes JSON with its type. str(answer) would write single quotes, True and None, which is no JSON; and
    # json.dumps(answer) in a return goes out as text/html.
    return {
        "text": f"You wrote: {text}"[:TEXT_CHARACTERS],  # your model's words; Python counts characters as we must
        "action": "none",  # none, handover or end: any other word hands the conversation to the team
        "note": f"Answered by the bot: {text}"[:NOTE_CHARACTERS],  # for the team only
    }
