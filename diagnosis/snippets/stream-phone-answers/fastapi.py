import asyncio, json
from fastapi import FastAPI, WebSocket, WebSocketDisconnect

app = FastAPI()


async def think(text):
    """Placeholder for your model: gives pieces of an answer as they come."""
    for word in f"You said: {text}".split(" "):
        await asyncio.sleep(0.03)
        yield word + " "


async def speak(call, text):
    async for piece in think(text):
        await call.send_text(json.dumps({"type": "text", "text": piece, "last": False}))
    await call.send_text(json.dumps({"type": "text", "text": "", "last": True}))  # closes the answer


@app.websocket("/voice")  # verify the upgrade as well, before accept()
async def voice(call: WebSocket):
    await call.accept()
    speaking = None  # only of this call
    try:
        while True:
            frame = json.loads(await call.receive_text())
            if speaking and frame["type"] in ("prompt", "interrupt", "session.ended"):
                speaking.cancel()  # no piece of the old answer after this; one answer at a time
            if frame["type"] == "prompt":
                # A task, not an await: interruptions must be read while we speak.
                speaking = asyncio.create_task(speak(call, frame["text"]))
            # session.started needs no answer: the service greets. Ignore unknown types.
    except WebSocketDisconnect:
        pass
    finally:
        if speaking:
            speaking.cancel()
