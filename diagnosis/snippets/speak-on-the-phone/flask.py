import json, threading, time
from flask import Flask
from flask_sock import ConnectionClosed, Sock

app = Flask(__name__)
app.config["SOCK_SERVER_OPTIONS"] = {"max_message_size": 64 * 1024}
sock = Sock(app)


def think(text):
    """Stands for your model: gives pieces of an answer as they come."""
    for word in f"You said: {text}".split(" "):
        time.sleep(0.03)
        yield word + " "


def speak(call, text, stop):
    try:
        for piece in think(text):
            if stop.is_set():
                return  # nothing of the old answer after an interruption
            call.send(json.dumps({"type": "text", "text": piece, "last": False}))
        call.send(json.dumps({"type": "text", "text": "", "last": True}))  # closes the answer
    except ConnectionClosed:
        pass


@sock.route("/voice")  # verify the upgrade as well, before it is answered
def voice(call):
    stop = threading.Event()  # of this call alone
    try:
        while True:
            frame = json.loads(call.receive())
            if frame["type"] in ("prompt", "interrupt", "session.ended"):
                stop.set()  # one answer at a time
            if frame["type"] == "prompt":
                stop = threading.Event()
                # In a thread of its own, or an interruption would be read only when the answer is over.
                threading.Thread(target=speak, args=(call, frame["text"], stop), daemon=True).start()
            # session.started needs no words: the service greets. Unknown types are none of our business.
    finally:
        stop.set()
