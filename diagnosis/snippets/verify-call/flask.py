import hashlib, hmac, os, re, time
from flask import Flask, abort, request
from flask_sock import Sock

SECRET = os.environ["AGENT_SECRET"].encode()  # the whole secret including whsec_; it is not base64
if SECRET == b"":
    raise RuntimeError("AGENT_SECRET is empty.")  # anyone could sign with an empty key
TOLERANCE_SECONDS = 300
HEADER = re.compile(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})")

app = Flask(__name__)
sock = Sock(app)


def is_signed(headers):
    """Whether the upgrade is signed: over the call id, which comes in a header, not over the empty body."""
    call_id = headers.get("X-Svc-Call-Id", "")
    parts = HEADER.fullmatch(headers.get("X-Svc-Signature", ""))
    if parts is None or call_id == "":
        return False
    t, v1 = parts.groups()
    content = f"{t}.{call_id}".encode("latin-1")  # header bytes are decoded as Latin-1 characters
    expected = hmac.new(SECRET, content, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, v1) and abs(time.time() - int(t)) <= TOLERANCE_SECONDS


@app.before_request  # runs before the upgrade: the client gets a 401, not a closed connection
def verify_call():
    if request.path == "/voice" and not is_signed(request.headers):
        abort(401)


@sock.route("/voice")
def voice(call):
    while True:
        frame = call.receive()  # speak here
        app.logger.info("%d characters", len(frame))
