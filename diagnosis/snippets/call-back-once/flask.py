import json
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from urllib.request import Request, urlopen
from flask import Flask, request

app = Flask(__name__)
pool = ThreadPoolExecutor(max_workers=16)
lock, taken = Lock(), set()  # several processes need a shared store: a unique column in your database


def find_answer(event):
    number = (event.get("projectData") or {}).get("svcProjectId")
    if number is None:  # not one case for all events without a project
        return {"requestContactUpdate": False, "requestProjectUpdate": False}
    project = {"crmProjectId": f"case-{number}"}  # ask your own system; ids are strings
    return {"requestContactUpdate": False, "requestProjectUpdate": True, "projectData": project}


def call_back(event):
    """To exactly the address that came, its query included. No token: it is not ours to give away."""
    try:
        body = json.dumps(find_answer(event)).encode()
        urlopen(Request(event["callbackUrl"], body, {"Content-Type": "application/json"}), timeout=10).close()
    except Exception:
        app.logger.exception("The callback failed.")


@app.post("/crm")
def crm():
    event = request.get_json()
    with lock:
        first = event["callbackUrl"] not in taken
        taken.add(event["callbackUrl"])
    if first:  # a repetition of the event also gets a 202, and no second callback
        pool.submit(call_back, event)
    return "", 202
