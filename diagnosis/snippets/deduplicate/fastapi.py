import asyncio, json, os
from collections import defaultdict
from urllib.request import Request as Post, urlopen
from fastapi import FastAPI, Request, Response

CRM_URL = os.environ["CRM_URL"]  # your own system
app = FastAPI()
done = set()  # delivery ids; in a database: a unique column, written in the same transaction as the effect
locks = defaultdict(asyncio.Lock)


def keep(appointment):
    body = json.dumps(appointment).encode()
    urlopen(Post(f"{CRM_URL}/appointments", body, {"Content-Type": "application/json"}), timeout=10).close()


# Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
@app.post("/hooks")
async def hooks(request: Request):
    delivery = request.headers.get("x-svc-delivery-id")
    if not delivery:
        return Response(status_code=400)
    event = await request.json()
    async with locks[delivery]:  # a second delivery waits while the first is being processed
        if delivery not in done:
            await asyncio.to_thread(keep, event["data"])  # if this throws, the delivery can be repeated
            done.add(delivery)
    return Response(status_code=200)
