"""Fixtures of the records room: real data, an HTTP server with faults, small PGN texts."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def shared_chess() -> Path:
    """Folder of real chess records, which are not part of the project."""
    folder = Path(os.environ.get("TABIA_SHARED", ROOT.parent / "shared")) / "data" / "chess"
    if not folder.is_dir():
        pytest.skip(f"no real game records at {folder}; set TABIA_SHARED")
    return folder


@dataclass
class Server:
    """A local HTTP server; `faults` are used up one a request, then it behaves."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)
    etag: str = '"v1"'
    honours_range: bool = True


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            fault = state.faults.pop(0) if state.faults else ""
            asked = self.headers.get("Range")
            state.ranges.append(asked)
            content = state.files.get(self.path)
            if fault.isdigit() or content is None:
                self.send_response(int(fault or 404))
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            start = 0
            fresh = self.headers.get("If-Range") in (None, state.etag)
            if asked and state.honours_range and fresh:
                start = int(asked.removeprefix("bytes=").rstrip("-"))
                if start >= len(content):
                    self.send_response(416)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                self.send_header(
                    "Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}"
                )
            else:
                self.send_response(200)
            body = content[start:]
            self.send_header("Content-Length", str(len(body)))
            if state.etag:
                self.send_header("ETag", state.etag)
            self.end_headers()
            if fault == "wrong byte":
                body = body[:-1] + bytes([body[-1] ^ 1])
            if fault == "drop":
                self.wfile.write(body[: len(body) // 2])
                self.close_connection = True
            elif fault == "stall":
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                time.sleep(1.5)
                self.close_connection = True
            else:
                self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        http.block_on_close = False
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        state.url = f"http://127.0.0.1:{http.server_port}"
        yield state
        http.shutdown()
        thread.join()
