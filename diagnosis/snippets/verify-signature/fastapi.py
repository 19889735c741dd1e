import hashlib, hmac, json, logging, os, re, time
from fastapi import FastAPI, Request, Response

SECRET = os.environ["AGENT_SECRET"].encode()  # the whole secret including whsec_; it is not base64
if SECRET == b"":
    raise RuntimeError("AGENT_SECRET is empty.")  # anyone could sign with an empty key
TOLERANCE_SECONDS = 300
HEADER = re.compile(r"t=([0-9]{1,15}),v1=([0-9a-f]{64})")

app = FastAPI()


def is_signed(header, payload):
    """Whether the header has a fresh signature of exactly these bytes. Garbage gives False, never an exception."""
    parts = HEADER.fullmatch(header or "")
    if parts is None:
        return False
    t, v1 = parts.groups()
    expected = hmac.new(SECRET, t.encode() + b"." + payload, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, v1) and abs(time.time() - int(t)) <= TOLERANCE_SECONDS


@app.post("/chat")
async def chat(request: Request):  # no model as a parameter: FastAPI would parse it, and answer 422, before we verify
    body = await request.body()
    if not is_signed(",".join(request.headers.getlist("x-svc-signature")), body):
        return Response(status_code=401)
    event = json.loads(body)  # only now
    logging.info("verified %s", event["type"])
    return Response(status_code=204)
