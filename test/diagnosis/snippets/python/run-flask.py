"""`run-flask.py SNIPPET`: serves the app of a Flask snippet and prints its port."""

import importlib.util
import sys
from werkzeug.serving import make_server

spec = importlib.util.spec_from_file_location("snippet", sys.argv[1])
snippet = importlib.util.module_from_spec(spec)
spec.loader.exec_module(snippet)
server = make_server("127.0.0.1", 0, snippet.app, threaded=True)
print(server.server_port, flush=True)
server.serve_forever()
