from typing import Any
from fastapi import Body, FastAPI, Response

TEXT_CHARACTERS = 4000
NOTE_CHARACTERS = 500

app = FastAPI()


# Verify the signature first; then the body is parsed by hand instead.
@app.post("/chat")
async def chat(event: dict[str, Any] = Body()):
    data = event.get("data") or {}
    if event.get("type") != "message.received" or (data.get("autoReply") or {}).get("state") != "on":
        return Response(status_code=204)  # stay quiet
    text = (data.get("message") or {}).get("text") or ""  # members that are new, null or missing are no errors
    # Return the dict. json.dumps(answer) would be made JSON a second time: a string in quotes, not an object.
    return {
        "text": f"You wrote: {text}"[:TEXT_CHARACTERS],  # your model's words; Python counts characters as we must
        "action": "none",  # none, handover or end: any other word hands the conversation to the team
        "note": f"Answered by the bot: {text}"[:NOTE_CHARACTERS],  # for the team only
    }
