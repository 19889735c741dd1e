import json, threading, time
from flask import Flask
from flask_sock import ConnectionClosed, Sock

app = Flask(__name__)
app.config["SOCK_SERVER_OPTIONS"] = {"max_message_size": 64 * 1024}
sock = Sock(app)


def think(text):
    """Placeholder for your model: gives pieces of an answer as they come."""
    for word in f"You said: {text}".split(" "):
        time.sleep(0.03)
        yield word + " "


def speak(call, text, stop, turn):
    def say(piece, last):
        with turn:  # one thread sends at a time, and none after its answer was cancelled
            if not stop.is_set():
                call.send(json.dumps({"type": "text", "text": piece, "last": last}))

    try:
        for piece in think(text):
            say(piece, False)
            if stop.is_set():
                return
        say("", True)  # closes the answer
    except ConnectionClosed:
        pass


@sock.route("/voice")  # verify the upgrade as well, before it is answered
def voice(call):
    stop, turn = threading.Event(), threading.Lock()  # only of this call
    try:
        while True:
            frame = json.loads(call.receive())
            if frame["type"] in ("prompt", "interrupt", "session.ended"):
                with turn:
                    stop.set()  # one answer at a time, and no piece of the old one after this line
            if frame["type"] == "prompt":
                stop = threading.Event()
                # In a separate thread, or an interruption would be read only after the answer.
                threading.Thread(target=speak, args=(call, frame["text"], stop, turn), daemon=True).start()
            # session.started needs no answer: the service greets. Ignore unknown types.
    finally:
        stop.set()
