"""Fixtures of the records room: real data, an HTTP server with faults, small PGN texts."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import chess
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


def _game(number: int) -> str:
    """A short legal random game; every fifth is a repetition, some have Elo, dates, comments."""
    rng = random.Random(number // 5 if number % 5 == 4 else 1000 + number)
    board = chess.Board()
    sans = []
    for _ in range(rng.randrange(0, 40)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = moves[rng.randrange(len(moves))]
        san = board.san(move)
        dots = f"{board.fullmove_number}." if board.turn else ""
        sans.append(f"{dots} {san}" + (" {[%clk 0:01:00]}" if number % 7 == 0 else ""))
        board.push(move)
    elo = ["", f'[WhiteElo "{1000 + 7 * number}"]\n[BlackElo "{1100 + 5 * number}"]\n'][
        number % 3 > 0
    ]
    return (
        f'[Event "Casual {number}"]\n[Date "2020.0{1 + number % 9}.??"]\n'
        f'[White "Player {number % 17}"]\n[Black "Player {number % 23}"]\n'
        f'[Result "1-0"]\n{elo}\n{" ".join(sans)} 1-0\n\n'
    )


BAD = (
    '[Event "Illegal"]\n\n1. e4 e5 2. Ke3 1-0\n\n'
    '[Event "Nonsense"]\n\n1. e4 Qz9 1-0\n\n'
    '[Event "Open comment"]\n\n1. e4 {never closed 1-0\n\n'
    '[Event "Open variation"]\n\n1. e4 (1. d4 1-0\n\n'
    '[Event "Crazy"]\n[Variant "Crazyhouse"]\n\n1. e4 1-0\n\n'
    '[Event "Bad FEN"]\n[SetUp "1"]\n[FEN "nothing"]\n\n1. e4 1-0\n\n'
)
"""Six records that must be rejected, each in its own way."""


@pytest.fixture(scope="session")
def corpus() -> bytes:
    """120 good games, 6 bad ones among them."""
    games = [_game(number) for number in range(120)]
    return "".join([*games[:60], BAD, *games[60:]]).encode()


@pytest.fixture(scope="session")
def the_corpus(corpus: bytes) -> Callable[[], bytes]:
    """The corpus behind a call: hypothesis prints the arguments of a failing test."""
    return lambda: corpus
