import asyncio, json, os
from urllib.parse import quote
from urllib.request import Request as Post, urlopen
from fastapi import BackgroundTasks, FastAPI, Request, Response

CRM_URL = os.environ["CRM_URL"]  # your own system
LIMIT_SECONDS = 1.5  # of the 2 seconds that a caller waits; the rest is for the network
LOOK_UP_SECONDS = 5  # without it, a hanging system prevents the callback
NOTHING_TO_ADD = {"requestContactUpdate": False, "requestProjectUpdate": False}

app = FastAPI()
answers, promised = {}, set()  # by callbackUrl; several processes need a shared store, in your database


def look_up(event):
    try:
        phone = quote((event.get("contactData") or {}).get("phoneNumber") or "", safe="")
        with urlopen(f"{CRM_URL}/customer-number?phone={phone}", timeout=LOOK_UP_SECONDS) as found:
            contact = {"crmContactId": found.read().decode()}
            return NOTHING_TO_ADD | {"requestContactUpdate": True, "contactData": contact}
    except OSError:
        return NOTHING_TO_ADD


async def call_back(url, answer):
    await asyncio.wait({answer}, timeout=LOOK_UP_SECONDS)  # in total; urlopen restarts its timeout with every byte
    found = answer.result() if answer.done() else NOTHING_TO_ADD
    post = Post(url, json.dumps(found).encode(), {"Content-Type": "application/json"})
    await asyncio.to_thread(lambda: urlopen(post, timeout=10).close())


@app.post("/crm")
async def crm(request: Request, background: BackgroundTasks):
    event = await request.json()
    url = event["callbackUrl"]
    if url not in answers:  # a repetition of the event joins the first: the same answer, and no second callback
        answers[url] = asyncio.create_task(asyncio.to_thread(look_up, event))  # blocking here would block every request
    answer = answers[url]
    await asyncio.wait({answer}, timeout=LIMIT_SECONDS)
    if answer.done() and url not in promised:
        return answer.result()
    if url not in promised:  # 202 is a promise: exactly one callback within 5 minutes, even if nothing was found
        promised.add(url)
        background.add_task(call_back, url, answer)
    return Response(status_code=202, background=background)
