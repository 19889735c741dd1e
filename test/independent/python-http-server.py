"""A small integrator with nothing but the standard library of Python. It has no phone."""

import hashlib
import hmac
import json
import logging
import os
import re
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CRM_TOKEN = os.environ["CRM_TOKEN"]
HOOK_SECRET = os.environ["HOOK_SECRET"].encode()
AGENT_SECRET = os.environ["AGENT_SECRET"].encode()
BASE_URL = os.environ["SVC_BASE_URL"]
API_KEY = os.environ["SVC_API_KEY"]
MAX_BODY = 4 * 1024 * 1024
TOLERANCE_SECONDS = 300

LEGACY_EVENTS = [
    "IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted",
]
CUSTOMERS = {
    "+4930901820": {
        "crmContactId": "10023",
        "firstName": "Jürgen",
        "lastName": "Groß",
        "crmAiInfo": "Has a maintenance contract.",
    }
}

log = logging.getLogger("integrator")
workers = ThreadPoolExecutor(max_workers=8)
lock = threading.Lock()
seen_deliveries = set()
case_numbers = {}


def is_signed(header, body, secret):
    match = re.fullmatch(r"t=([0-9]+),v1=([0-9a-f]{64})", header or "")
    if match is None:
        return False
    timestamp, signature = match.groups()
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    expected = hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, signature)


def post(url, body, idempotency_key=None):
    headers = {"Content-Type": "application/json", "X-Api-Key": API_KEY}
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=15) as response:
        return json.load(response)


def write_note(note, idempotency_key):
    """Tries again with the same key until the service has the note."""
    for attempt in range(7):
        pause = 2**attempt
        try:
            return post(f"{BASE_URL}/v1/notes", note, idempotency_key)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                log.error("note refused: %s", error.code)
                return None
            pause = max(pause, int(error.headers.get("Retry-After") or 0))
        except OSError as error:
            log.warning("note: %s", error)
        except Exception as error:  # http.client raises its own for an answer that is cut
            log.warning("note: %r", error)
        time.sleep(pause)
    log.error("note given up")
    return None


def reply_later(url, text):
    time.sleep(0.3)
    try:
        post(url, {"text": text, "action": "none"})
    except Exception as error:  # 409: the team has it, so the answer is dropped
        log.warning("reply dropped: %s", error)


def handle_crm(event):
    kind = event.get("eventType")
    if isinstance(kind, int) and 0 <= kind < len(LEGACY_EVENTS):
        kind = LEGACY_EVENTS[kind]
    if kind in ("IncomingCallLookup", "NewConversation"):
        customer = CUSTOMERS.get((event.get("contactData") or {}).get("phoneNumber"))
        if customer:
            return 200, {"requestContactUpdate": True, "contactData": customer, "requestProjectUpdate": False}
    elif kind in ("FinishedCall", "ConversationPaused"):
        project_id = (event.get("projectData") or {}).get("svcProjectId")
        if project_id is not None:
            with lock:
                number = case_numbers.setdefault(project_id, f"F-{len(case_numbers) + 1:05}")
            return 200, {"requestProjectUpdate": True, "projectData": {"crmProjectId": number}}
    return 204, None


def handle_hook(event, delivery_id):
    with lock:
        is_new = delivery_id not in seen_deliveries
        seen_deliveries.add(delivery_id)
    if is_new and event.get("type") in ("appointment.confirmed", "appointment.cancelled", "appointment.finished"):
        data = event["data"]
        note = {"projectId": data["projectId"], "text": f"{event['type']}: {data['title']} ({data['startLocal']})"}
        workers.submit(write_note, note, delivery_id)
    return 200, None


def handle_chat(event):
    if event.get("type") != "message.received":
        return 204, None
    data = event["data"]
    if data.get("autoReply", {}).get("state", "on") != "on":
        return 204, None
    text = data["message"]["text"].lower()
    forward = next((skill for skill in data.get("skills", []) if skill["kind"] == "forward"), None)
    if "quote" in text:
        threading.Thread(target=reply_later, args=(data["replyUrl"], "It costs 80 euros."), daemon=True).start()
        return 202, None
    if "sales" in text and forward:
        return 200, {"text": "I connect you.", "action": "none", "executeSkills": [forward["key"]]}
    if "person" in text:
        return 200, {"text": "A colleague will answer you.", "action": "handover", "note": "Wants a person."}
    if "goodbye" in text:
        return 200, {"text": "Goodbye!", "action": "end"}
    return 200, {"text": "We are open from nine to five. Grüße!", "action": "none"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            self.close_connection = True
            return self.reply(411)
        if length > MAX_BODY:
            self.close_connection = True
            return self.reply(413)
        body = self.rfile.read(length)
        try:
            status, answer = self.route(body)
        except (ValueError, KeyError, TypeError, AttributeError):
            log.exception("event not understood")
            status, answer = 400, None
        self.reply(status, answer)

    def route(self, body):
        if self.path == "/crm":
            expected = f"Bearer {CRM_TOKEN}".encode()
            if not hmac.compare_digest(self.headers.get("Authorization", "").encode("latin-1", "replace"), expected):
                return 401, None
            return handle_crm(json.loads(body))
        if self.path not in ("/hooks", "/chat"):
            return 404, None
        secret = HOOK_SECRET if self.path == "/hooks" else AGENT_SECRET
        if not is_signed(self.headers.get("X-Svc-Signature"), body, secret):
            return 401, None
        event = json.loads(body)
        if self.path == "/hooks":
            return handle_hook(event, self.headers.get("X-Svc-Delivery-Id") or event["id"])
        return handle_chat(event)

    def reply(self, status, answer=None):
        content = b"" if answer is None else json.dumps(answer).encode()
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        if content:
            self.send_header("Content-Type", "application/json")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format, *args):
        log.debug(format, *args)


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


if __name__ == "__main__":
    Server(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Handler).serve_forever()
