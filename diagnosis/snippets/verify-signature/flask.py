import hashlib, hmac, json, os, re, time
from flask import Flask, request

SECRET = os.environ["AGENT_SECRET"].encode()  # the whole secret including whsec_; it is not base64
if SECRET == b"":
    raise RuntimeError("AGENT_SECRET is empty.")  # anyone could sign with an empty key
TOLERANCE_SECONDS = 300
HEADER = re.compile(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})")

app = Flask(__name__)


def is_signed(header, payload):
    """Whether the header has a fresh signature of exactly these bytes. Garbage gives False, never an exception."""
    parts = HEADER.fullmatch(header or "")
    if parts is None:
        return False
    t, v1 = parts.groups()
    expected = hmac.new(SECRET, t.encode() + b"." + payload, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, v1) and abs(time.time() - int(t)) <= TOLERANCE_SECONDS


@app.post("/chat")
def chat():
    body = request.get_data()  # the raw bytes, before other code reads request.json or request.form
    if not is_signed(request.headers.get("X-Svc-Signature"), body):
        return "", 401
    event = json.loads(body)  # only now
    app.logger.info("verified %s", event["type"])
    return "", 204
