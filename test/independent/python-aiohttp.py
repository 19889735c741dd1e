"""A small integrator on aiohttp."""

import asyncio
import hashlib
import hmac
import json
import logging
import os
import re
import time

from aiohttp import ClientError, ClientSession, ClientTimeout, WSMsgType, web

CRM_TOKEN = os.environ["CRM_TOKEN"]
HOOK_SECRET = os.environ["HOOK_SECRET"].encode()
AGENT_SECRET = os.environ["AGENT_SECRET"].encode()
BASE_URL = os.environ["SVC_BASE_URL"]
API_KEY = os.environ["SVC_API_KEY"]

CUSTOMERS = {
    "+4930901820": {
        "crmContactId": "k-5",
        "firstName": "Zoë",
        "lastName": "O'Neill",
        "email": "zoe@example.com",
        "crmAiInfo": "Bought a cargo bike in May.",
    }
}
LOOKUPS = ("IncomingCallLookup", "NewConversation", 0, 2)
SUMMARIES = ("FinishedCall", "ConversationPaused", 1, 3)

log = logging.getLogger("integrator")
routes = web.RouteTableDef()
tasks = set()


def in_background(coroutine):
    task = asyncio.create_task(coroutine)
    tasks.add(task)  # the loop keeps only a weak reference
    task.add_done_callback(tasks.discard)
    return task


def is_signed(header, content, secret):
    match = re.fullmatch(r"t=(\d{1,12}),v1=([0-9a-f]{64})", header, re.ASCII)
    if match is None or abs(time.time() - int(match[1])) > 300:
        return False
    expected = hmac.new(secret, match[1].encode() + b"." + content, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[2])


async def signed_event(request, secret):
    body = await request.read()
    if not is_signed(request.headers.get("X-Svc-Signature", ""), body, secret):
        raise web.HTTPUnauthorized()
    try:
        return json.loads(body)
    except ValueError:
        raise web.HTTPBadRequest() from None


async def call_api(session, url, body, key=None):
    headers = {"Authorization": f"Bearer {API_KEY}"}
    if key:
        headers["Idempotency-Key"] = key
    for attempt in range(8):
        pause = 0.5 * 2**attempt
        try:
            async with session.post(url, json=body, headers=headers) as response:
                await response.read()
                if response.status < 400:
                    return
                if response.status != 429 and response.status < 500:
                    log.error("%s: %s", url, response.status)
                    return
                pause = max(pause, int(response.headers.get("Retry-After", 0)))
        except (ClientError, asyncio.TimeoutError) as error:
            if key is None:  # it may have been processed, and nothing marks a repetition as one
                log.error("%s: %r", url, error)
                return
        await asyncio.sleep(pause)
    log.error("%s: gave up", url)


async def ask_crm(phone):
    """The CRM is at times slower than the caller can wait."""
    await asyncio.sleep(3 if phone and phone.endswith("7") else 0.05)
    return CUSTOMERS.get(phone)


async def call_back(session, url, answer):
    answer = await answer
    async with session.post(url, json=answer) as response:
        log.info("callback: %s", response.status)


async def find_contact(phone):
    customer = await ask_crm(phone)
    return {"requestContactUpdate": customer is not None, "contactData": customer, "requestProjectUpdate": False}


async def find_case(project_id):
    await asyncio.sleep(0.2)
    return {"requestProjectUpdate": True, "projectData": {"crmProjectId": f"V/{project_id}"}}


@routes.post("/crm")
async def crm(request):
    if not hmac.compare_digest(request.headers.get("Authorization", "").encode("utf-8", "replace"), f"Bearer {CRM_TOKEN}".encode()):
        raise web.HTTPUnauthorized()
    try:
        event = await request.json()
    except ValueError:
        raise web.HTTPBadRequest() from None
    contact, project = event.get("contactData") or {}, event.get("projectData") or {}
    kind, callback_url = event.get("eventType"), event.get("callbackUrl")
    if callback_url in request.app["called_back"]:
        return web.Response(status=202)
    if kind in LOOKUPS:
        lookup = in_background(find_contact(contact.get("phoneNumber")))
        done, _ = await asyncio.wait([lookup], timeout=1.2)
        if done:
            answer = lookup.result()
            return web.json_response(answer) if answer["requestContactUpdate"] else web.Response(status=204)
        if callback_url in request.app["called_back"]:
            return web.Response(status=202)
    elif kind in SUMMARIES and "svcProjectId" in project:
        lookup = find_case(project["svcProjectId"])
    else:
        return web.Response(status=204)
    request.app["called_back"].add(callback_url)
    in_background(call_back(request.app["session"], callback_url, lookup))
    return web.Response(status=202)


@routes.post("/hooks")
async def hooks(request):
    event = await signed_event(request, HOOK_SECRET)
    delivery_id = request.headers.get("X-Svc-Delivery-Id", event["id"])
    if delivery_id not in request.app["deliveries"] and event["type"] in ("appointment.created", "appointment.rescheduled"):
        request.app["deliveries"].add(delivery_id)
        data = event["data"]
        note = {"projectId": data["projectId"], "title": data["title"], "text": f"{event['type']} {data['start']}"}
        in_background(call_api(request.app["session"], f"{BASE_URL}/v1/notes", note, delivery_id))
    return web.Response()


def think(text, skills):
    text = text.lower()
    for skill in skills:
        if skill["key"] and skill["key"] in text:
            return {"text": "One moment.", "action": "none", "executeSkills": [skill["key"]]}
    if "person" in text:
        return {"text": "I fetch a colleague.", "action": "handover", "note": "Please take over."}
    if "goodbye" in text:
        return {"text": "Goodbye.", "action": "end"}
    if "everything" in text:
        return {"text": " ".join(f"Our shop number {number} is open." for number in range(1, 11)), "action": "none"}
    return {"text": "We are open until five o'clock. 😀", "action": "none"}


@routes.post("/chat")
async def chat(request):
    event = await signed_event(request, AGENT_SECRET)
    data = event.get("data")
    if event["type"] != "message.received" or data["autoReply"]["state"] != "on":
        return web.Response(status=204)
    if "quote" in data["message"]["text"]:
        if event["id"] in request.app["deliveries"]:
            return web.Response(status=202)
        request.app["deliveries"].add(event["id"])
        in_background(call_api(request.app["session"], data["replyUrl"], {"text": "80 euros.", "action": "none"}))
        return web.Response(status=202)
    return web.json_response(think(data["message"]["text"], data["skills"]))


async def speak(ws, text):
    for word in text.split(" "):
        await ws.send_json({"type": "text", "text": word + " ", "last": False})
        await asyncio.sleep(0.04)
    await ws.send_json({"type": "text", "text": "", "last": True})


@routes.get("/voice")
async def voice(request):
    call_id = request.headers.get("X-Svc-Call-Id", "")
    if not call_id or not is_signed(request.headers.get("X-Svc-Signature", ""), call_id.encode(), AGENT_SECRET):
        raise web.HTTPUnauthorized()
    ws = web.WebSocketResponse(max_msg_size=1024 * 1024)
    await ws.prepare(request)
    skills, speech = [], None
    try:
        async for message in ws:
            if message.type != WSMsgType.TEXT:
                continue
            try:
                frame = json.loads(message.data)
            except ValueError:
                continue
            kind, text = frame.get("type"), None
            if kind in ("prompt", "interrupt", "session.ended") and speech:
                speech.cancel()
            if kind == "session.started":
                skills = frame.get("skills", [])
                if frame.get("resumed") == "handover_failed":
                    text = "I am back, my colleagues are busy."
            elif kind == "prompt":
                answer = think(frame["text"], skills)
                if "executeSkills" in answer:
                    await ws.send_json({"type": "skill", "executeSkills": answer["executeSkills"]})
                elif answer["action"] != "none":
                    await ws.send_json({"type": "action", **answer})
                else:
                    text = answer["text"]
            elif kind == "skill.result" and not frame["ok"]:
                text = "I cannot connect you at the moment."
            if text:
                speech = in_background(speak(ws, text))
    finally:
        if speech:
            speech.cancel()
    return ws


async def client_session(app):
    async with ClientSession(timeout=ClientTimeout(total=15)) as app["session"]:
        yield


app = web.Application(client_max_size=4 * 1024 * 1024)
app["called_back"], app["deliveries"] = set(), set()
app.cleanup_ctx.append(client_session)
app.add_routes(routes)

if __name__ == "__main__":
    web.run_app(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8080")), print=None)
