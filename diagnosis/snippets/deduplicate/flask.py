import json, os
from collections import defaultdict
from threading import Lock
from urllib.request import Request, urlopen
from flask import Flask, request

CRM_URL = os.environ["CRM_URL"]  # your own system
app = Flask(__name__)
done = set()  # delivery ids; in a database: a unique column, written in the same transaction as the effect
locks = defaultdict(Lock)


def keep(appointment):
    body = json.dumps(appointment).encode()
    urlopen(Request(f"{CRM_URL}/appointments", body, {"Content-Type": "application/json"}), timeout=10).close()


# Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
@app.post("/hooks")
def hooks():
    delivery = request.headers["X-Svc-Delivery-Id"]
    with locks[delivery]:  # a second delivery waits while the first is being processed
        if delivery not in done:
            keep(request.get_json()["data"])  # if this throws, the delivery can be repeated
            done.add(delivery)
    return "", 200
