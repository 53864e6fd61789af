"""The MCP server over HTTP, for clients that start no program: on this machine only, and for whoever has the token.

A web page can make a browser send requests to this machine, under a name that it chose (DNS rebinding). So three things
must hold: the bearer token (401 without), a Host that is this address (421 else), and no foreign Origin (403 else).
"""

import socket
from collections.abc import Callable
from hmac import compare_digest
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from markdown_memory.errors import StorageError, UserError

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
_SHUTDOWN_SECONDS = 2
_REFUSED = (401, [(b"www-authenticate", b'Bearer realm="mdmem"'), (b"content-type", b"text/plain; charset=utf-8")])
_WHY = b"The bearer token is missing or wrong. `mdmem serve --http` says where it is kept.\n"


def serve(server: MCPServer[Any], host: str, port: int, token: str, ready: Callable[[str], None]) -> None:
    """Answer until somebody ends the process; `ready` is told the address, also for port 0, which is a free one."""
    bound = _bind(host, port)
    here = bound.getsockname()[1]
    names = [f"[{name}]:{here}" if ":" in name else f"{name}:{here}" for name in LOOPBACK]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        host=host,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )
    config = uvicorn.Config(
        guarded(app, token),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    ready(f"http://{f'[{host}]' if ':' in host else host}:{here}{PATH}")
    uvicorn.Server(config).run(sockets=[bound])


def guarded(app: Any, token: str) -> Any:
    """The application for whoever sends the token; everybody else gets 401 before anything is looked at."""
    wanted = f"Bearer {token}".encode()

    async def check(scope: Any, receive: Any, send: Any) -> None:
        sent = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] == "lifespan" or (len(sent) == 1 and compare_digest(sent[0], wanted)):
            await app(scope, receive, send)
        elif scope["type"] == "http":
            status, headers = _REFUSED
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": _WHY})

    return check


def _bind(host: str, port: int) -> socket.socket:
    if host not in LOOPBACK:
        raise UserError(f"{host!r} is not this machine: the server listens on {', '.join(LOOPBACK)} only.")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(128)  # from here on who comes waits, instead of being refused
    except OSError as error:
        raise StorageError(
            f"Port {port} of {host} cannot be used ({error.strerror or error}); choose another with --port."
        ) from error
    return bound
