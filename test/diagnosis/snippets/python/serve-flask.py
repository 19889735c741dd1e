"""`serve-flask.py TOPIC=PATH...`: serves each app below /TOPIC, 503 where it does not start, and prints the port."""

import sys
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import make_server
from werkzeug.wrappers import Response
from loaded import loaded

modules, failed = loaded(sys.argv[1:])
apps = {f"/{topic}": module.app for topic, module in modules.items()}
apps |= {f"/{topic}": Response("did not start", status=503) for topic in failed}
server = make_server("127.0.0.1", 0, DispatcherMiddleware(Response(status=404), apps), threaded=True)
print(f"port {server.server_port}", flush=True)
server.serve_forever()
