import hashlib, hmac, logging, os, re, time
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

SECRET = os.environ["AGENT_SECRET"].encode()  # the whole secret including whsec_; it is not base64
if SECRET == b"":
    raise RuntimeError("AGENT_SECRET is empty.")  # anyone could sign with an empty key
TOLERANCE_SECONDS = 300
HEADER = re.compile(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})")

app = FastAPI()


def is_signed(headers):
    """Whether the upgrade is signed: over the call id, which comes in a header, not over the empty body."""
    call_id = headers.get("x-svc-call-id", "")
    parts = HEADER.fullmatch(",".join(headers.getlist("x-svc-signature")))
    if parts is None or call_id == "":
        return False
    t, v1 = parts.groups()
    content = f"{t}.{call_id}".encode("latin-1")  # header bytes are decoded as Latin-1 characters
    expected = hmac.new(SECRET, content, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, v1) and abs(time.time() - int(t)) <= TOLERANCE_SECONDS


@app.websocket("/voice")
async def voice(call: WebSocket):
    if not is_signed(call.headers):
        await call.close()  # before accept() this rejects the upgrade, with status 403
        return
    await call.accept()
    try:
        while True:
            frame = await call.receive_text()  # speak here
            logging.info("%d characters", len(frame))
    except WebSocketDisconnect:
        pass
