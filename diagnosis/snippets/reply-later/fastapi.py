import json, logging, os
from urllib.error import HTTPError
from urllib.request import Request as Post, urlopen
from fastapi import BackgroundTasks, FastAPI, Request, Response

API_KEY = os.environ["SVC_API_KEY"]  # API key of the assistant's inbox; not the secret that signs messages
if API_KEY == "":
    raise RuntimeError("SVC_API_KEY is empty.")

app = FastAPI()
taken = set()  # several processes need a shared store: a unique column in your database


def think(data):
    """Placeholder for your model, which takes its time. Give yours a time limit."""
    text = (data.get("message") or {}).get("text") or ""
    return {"text": f"You wrote: {text}", "action": "none"}


def reply(data):  # not async: Starlette runs it in a thread, so it may block
    """To exactly the address that came, once. The API key goes there and nowhere else."""
    try:
        answer = think(data)
    except Exception:
        logging.exception("The model failed.")  # a customer who waits in vain is worse than a handover
        answer = {"text": "", "action": "handover", "note": "The assistant failed."}
    headers = {"Content-Type": "application/json", "X-Api-Key": API_KEY}
    try:
        urlopen(Post(data["replyUrl"], json.dumps(answer).encode(), headers), timeout=10).close()
    except HTTPError as error:
        if error.code != 409:  # the AI no longer has the conversation, so the answer is dropped
            logging.error("The reply was answered %d.", error.code)
    except Exception:
        logging.exception("The reply had no answer.")


@app.post("/chat")  # verify the signature first: it authenticates the address that gets the key
async def chat(request: Request, background: BackgroundTasks):
    event = await request.json()
    data = event.get("data") or {}
    if event.get("type") != "message.received" or (data.get("autoReply") or {}).get("state") != "on":
        return Response(status_code=204)  # stay quiet
    if event["id"] not in taken:  # a repetition of the event also gets a 202, and no second reply
        taken.add(event["id"])
        background.add_task(reply, data)
    return Response(status_code=202, background=background)
