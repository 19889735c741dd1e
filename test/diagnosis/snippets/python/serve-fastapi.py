"""`serve-fastapi.py TOPIC=PATH...`: serves each app below /TOPIC, 503 where it does not start, and prints the port."""

import socket
import sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from loaded import loaded

modules, failed = loaded(sys.argv[1:])
routes = [Mount(f"/{topic}", module.app) for topic, module in modules.items()]
routes += [Mount(f"/{topic}", PlainTextResponse("did not start", status_code=503)) for topic in failed]
listener = socket.create_server(("127.0.0.1", 0))
print(f"port {listener.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="warning")).run(sockets=[listener])
