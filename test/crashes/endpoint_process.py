"""A chat endpoint on http.server whose process ends on a signature of another length."""
import hmac
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["AGENT_SECRET"].encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        parts = dict(part.split("=", 1) for part in self.headers.get("X-Svc-Signature", "").split(",") if "=" in part)
        t, v1 = parts.get("t", ""), parts.get("v1", "")
        authentic = False
        if t.isdigit() and abs(time.time() - int(t)) <= 300:
            expected = hmac.new(SECRET, t.encode() + b"." + body, "sha256").hexdigest()
            if len(v1) != len(expected):
                os._exit(1)
            authentic = v1.isascii() and hmac.compare_digest(expected, v1)
        answer = b'{"text":"Hello."}' if authentic else b""
        self.send_response(200 if authentic else 401)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
server.daemon_threads = True
print("listening", flush=True)
server.serve_forever()
