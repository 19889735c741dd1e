import json, os
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from flask import Flask, request

API_KEY = os.environ["SVC_API_KEY"]  # API key of the assistant's inbox; not the secret that signs messages
if API_KEY == "":
    raise RuntimeError("SVC_API_KEY is empty.")

app = Flask(__name__)
pool = ThreadPoolExecutor(max_workers=16)
lock, taken = Lock(), set()  # several processes need a shared store: a unique column in your database


def think(data):
    """Placeholder for your model, which takes its time. Give yours a time limit."""
    text = (data.get("message") or {}).get("text") or ""
    return {"text": f"You wrote: {text}", "action": "none"}


def reply(data):
    """To exactly the address that came, once. The API key goes there and nowhere else."""
    try:
        answer = think(data)
    except Exception:
        app.logger.exception("The model failed.")  # a customer who waits in vain is worse than a handover
        answer = {"text": "", "action": "handover", "note": "The assistant failed."}
    headers = {"Content-Type": "application/json", "X-Api-Key": API_KEY}
    try:
        urlopen(Request(data["replyUrl"], json.dumps(answer).encode(), headers), timeout=10).close()
    except HTTPError as error:
        if error.code != 409:  # the AI no longer has the conversation, so the answer is dropped
            app.logger.error("The reply was answered %d.", error.code)
    except Exception:
        app.logger.exception("The reply had no answer.")


@app.post("/chat")  # verify the signature first: it authenticates the address that gets the key
def chat():
    event = request.get_json()
    data = event.get("data") or {}
    if event.get("type") != "message.received" or (data.get("autoReply") or {}).get("state") != "on":
        return "", 204  # stay quiet
    with lock:
        first = event["id"] not in taken
        taken.add(event["id"])
    if first:  # a repetition of the event also gets a 202, and no second reply
        pool.submit(reply, data)
    return "", 202
