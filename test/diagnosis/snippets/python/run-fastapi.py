"""`run-fastapi.py SNIPPET`: serves the app of a FastAPI snippet and prints its port."""

import importlib.util
import socket
import sys
import uvicorn

spec = importlib.util.spec_from_file_location("snippet", sys.argv[1])
snippet = importlib.util.module_from_spec(spec)
spec.loader.exec_module(snippet)
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(snippet.app, log_level="warning")).run(sockets=[listener])
