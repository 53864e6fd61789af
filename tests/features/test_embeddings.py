"""Search by meaning through the open vault, with a real server that gives the vectors."""

import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from markdown_memory.errors import UserError
from markdown_memory.memory import Memory

MEANINGS = {"feline": "cat", "kitten": "cat", "vehicle": "car", "automobile": "car"}
WIDTH = 2048


class Server(BaseHTTPRequestHandler):
    """A model that knows four synonyms and otherwise gives each word a direction of its own."""

    asked = 0

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        type(self).asked += len(texts)
        self.send_response(200)
        self.end_headers()
        rows = [{"index": at, "embedding": self.vector(text)} for at, text in enumerate(texts)]
        self.wfile.write(json.dumps({"data": rows}).encode())

    def vector(self, text: str) -> list[float]:
        row = [0.001] * WIDTH
        for word in text.lower().replace(".", " ").replace(":", " ").split():
            known = MEANINGS.get(word, word)
            row[int(sha256(known.encode()).hexdigest(), 16) % WIDTH] += 1
        return row

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    pytest.importorskip("numpy", reason="vectors need the embeddings extra")
    Server.asked = 0
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def enabled(memory: Memory, server: HTTPServer) -> Memory:
    memory.store("pets", "The kitten sleeps in the kitchen.")
    memory.store("garage", "The automobile needs oil.")
    memory.store("walk", "We went along the river.")
    status = memory.embeddings.enable("endpoint", model="small", url=f"http://127.0.0.1:{server.server_port}")
    assert (status.enabled, status.notes >= 3) == (True, True)
    return memory


def test_a_note_is_found_by_what_it_means(enabled: Memory) -> None:
    assert [hit.name for hit in enabled.search("feline", mode="text").hits] == []
    answer = enabled.search("feline")
    assert (answer.mode, answer.hits[0].name) == ("hybrid", "pets")
    assert answer.degraded == ()


def test_meaning_alone_can_be_asked_for(enabled: Memory) -> None:
    answer = enabled.search("vehicle", mode="vector")
    assert (answer.mode, answer.hits[0].name) == ("vector", "garage")


def test_a_changed_note_is_embedded_before_the_search(enabled: Memory) -> None:
    before = Server.asked
    enabled.store("stable", "A vehicle for the farm.")
    assert "stable" in [hit.name for hit in enabled.search("car").hits]
    assert Server.asked <= before + 3


def test_a_server_that_went_away_leaves_the_words_and_says_so(enabled: Memory, server: HTTPServer) -> None:
    server.server_close()
    server.shutdown()
    answer = enabled.search("kitten")
    assert [hit.name for hit in answer.hits] == ["pets"]
    assert "Searched without vectors" in answer.degraded[0]


def test_an_unrelated_question_gives_nothing_at_a_threshold(enabled: Memory) -> None:
    assert enabled.search("quarterly budget", threshold=0.5).hits == ()


def test_disabled_again_it_searches_by_words(enabled: Memory) -> None:
    assert enabled.embeddings.disable()
    assert enabled.search("kitten").mode == "text"
    assert not enabled.embeddings.status().enabled


def test_modes_that_need_vectors_say_how_to_get_them(memory: Memory) -> None:
    with pytest.raises(UserError, match="mdmem embeddings enable"):
        memory.search("x", mode="hybrid")


def test_a_provider_that_does_not_work_is_not_enabled(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        memory.embeddings.enable("endpoint", model="small", url="nowhere")
    assert not memory.embeddings.status().enabled
