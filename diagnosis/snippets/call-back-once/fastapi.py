import json, logging
from urllib.request import Request as Post, urlopen
from fastapi import BackgroundTasks, FastAPI, Request, Response

app = FastAPI()
taken = set()  # several processes need a shared store: a unique column in your database


def find_answer(event):
    number = (event.get("projectData") or {}).get("svcProjectId")
    if number is None:  # not one case for all events without a project
        return {"requestContactUpdate": False, "requestProjectUpdate": False}
    project = {"crmProjectId": f"case-{number}"}  # ask your own system; ids are strings
    return {"requestContactUpdate": False, "requestProjectUpdate": True, "projectData": project}


def call_back(event):  # not async: Starlette runs it in a thread, so it may block
    """To exactly the address that came, its query included. No token: it is not ours to give away."""
    try:
        body = json.dumps(find_answer(event)).encode()
        urlopen(Post(event["callbackUrl"], body, {"Content-Type": "application/json"}), timeout=10).close()
    except Exception:
        logging.exception("The callback failed.")


@app.post("/crm")
async def crm(request: Request, background: BackgroundTasks):
    event = await request.json()
    if event["callbackUrl"] not in taken:  # a repetition of the event also gets a 202, and no second callback
        taken.add(event["callbackUrl"])
        background.add_task(call_back, event)
    return Response(status_code=202, background=background)
