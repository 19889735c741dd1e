from typing import Any
from fastapi import Body, FastAPI, Response

TEXT_CHARACTERS = 4000
NOTE_CHARACTERS = 500

app = FastAPI()


# Verify the signature first; in that case, parse the raw body yourself.
@app.post("/chat")
async def chat(event: dict[str, Any] = Body()):
    data = event.get("data") or {}
    if event.get("type") != "message.received" or (data.get("autoReply") or {}).get("state") != "on":
        return Response(status_code=204)  # stay quiet
    text = (data.get("message") or {}).get("text") or ""  # fields that are new, null or missing are not errors
    # Return the dict. The result of json.dumps(answer) would be encoded again: a string in quotes, not an object.
    return {
        "text": f"You wrote: {text}"[:TEXT_CHARACTERS],  # output of your model; Python counts characters like the service
        "action": "none",  # none, handover or end: any other word hands the conversation to the team
        "note": f"Answered by the bot: {text}"[:NOTE_CHARACTERS],  # for the team only
    }
