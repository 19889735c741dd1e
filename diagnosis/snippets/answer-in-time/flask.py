import json, os
from concurrent.futures import ThreadPoolExecutor, TimeoutError, wait
from threading import Lock, Thread
from urllib.parse import quote
from urllib.request import Request, urlopen
from flask import Flask, request

CRM_URL = os.environ["CRM_URL"]  # your own system
LIMIT_SECONDS = 1.5  # of the 2 seconds that a caller waits; the rest is for the network
LOOK_UP_SECONDS = 5  # without it, a hanging system prevents the callback
NOTHING_TO_ADD = {"requestContactUpdate": False, "requestProjectUpdate": False}

app = Flask(__name__)
pool = ThreadPoolExecutor(max_workers=16)
# By callbackUrl; several processes need a shared store, for example a table in your database.
lock, answers, promised = Lock(), {}, set()


def look_up(event):
    try:
        phone = quote((event.get("contactData") or {}).get("phoneNumber") or "", safe="")
        with urlopen(f"{CRM_URL}/customer-number?phone={phone}", timeout=LOOK_UP_SECONDS) as found:
            contact = {"crmContactId": found.read().decode()}
            return NOTHING_TO_ADD | {"requestContactUpdate": True, "contactData": contact}
    except OSError:
        return NOTHING_TO_ADD


def call_back(url, answer):
    try:
        found = answer.result(timeout=LOOK_UP_SECONDS)  # in total; urlopen restarts its timeout with every byte
    except TimeoutError:
        found = NOTHING_TO_ADD
    post = Request(url, json.dumps(found).encode(), {"Content-Type": "application/json"})
    urlopen(post, timeout=10).close()


@app.post("/crm")
def crm():
    event = request.get_json()
    url = event["callbackUrl"]
    with lock:  # a repetition of the event joins the first: it gets the same answer, and no second callback
        answer = answers.get(url) or answers.setdefault(url, pool.submit(look_up, event))
    wait([answer], timeout=LIMIT_SECONDS)
    with lock:
        if answer.done() and url not in promised:
            return answer.result()
        first = url not in promised
        promised.add(url)
    if first:  # 202 is a promise: exactly one callback follows within 5 minutes, even if nothing was found
        Thread(target=call_back, args=(url, answer)).start()
    return "", 202
