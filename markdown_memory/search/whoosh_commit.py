"""Writing the full-text index: one lock, one commit, one rename.

On disk: `state.json` names the folder of the live index, the versions it was built with, the catalog
generation it holds and its segments. It is replaced by rename, so a reader sees one commit or the next. A
new index is built in a folder of its own and goes live with the same rename; then the old folder is
deleted.

This module imports Whoosh; it is imported when something is written.
"""

import os
from collections.abc import Iterator
from json import dumps
from secrets import token_hex
from shutil import rmtree
from typing import Any, NamedTuple
from zlib import crc32

from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC, clean_files

from markdown_memory.search import documents, whoosh_schema
from markdown_memory.search.port import Change
from markdown_memory.search.segment_writer import SegmentWriter
from markdown_memory.search.snapshot import Readable, Snapshot
from markdown_memory.search.sums import sums
from markdown_memory.search.whoosh_schema import INDEX_NAME

STATE = "state.json"
_POSTINGS_IN_MEMORY = 6_000_000  # about 150 MB; then a segment is written
_SEGMENTS = 8
State = dict[str, Any]


def build(folder: str, version: str, change: Change) -> None:
    """A new index of exactly the change's notes, in place of whatever is there."""
    home = f"index-{token_hex(6)}"
    os.mkdir(os.path.join(folder, home))
    try:
        whoosh_schema.create(os.path.join(folder, home))
        write(folder, {"version": version, "folder": home}, change._replace(removed=()), None)
    except BaseException:
        rmtree(os.path.join(folder, home), ignore_errors=True)
        raise
    _sweep(folder, home)


def write(folder: str, state: State, change: Change, snapshot: Snapshot | None) -> None:
    """Add one commit to the index that `state` and `snapshot` describe."""
    home = os.path.join(folder, state["folder"])
    storage = FileStorage(home)
    try:
        toc = TOC.read(storage, INDEX_NAME)
        old = list(zip(toc.segments, snapshot.segments, strict=True)) if snapshot else []
        for path in change.removed:
            _delete(toc.segments, snapshot, path)
        new = _new_segments(storage, toc.schema, _deleting(change, toc.segments, snapshot), old)
        kept = [segment for segment in toc.segments if segment.doc_count_all()]
        toc = TOC(
            toc.schema, [segment for segment in kept if segment not in new.merged] + new.written, toc.generation + 1
        )
        toc.write(storage, INDEX_NAME)
        described = whoosh_schema.described(toc.segments, toc.generation)
        names = [segment["name"] for segment in described["segments"]]
        files = sums(home, names, state.get("files", {}))
        write_state(folder, {**state, "generation": change.generation, **described, "files": files})
        clean_files(storage, INDEX_NAME, toc.generation, toc.segments)
    finally:
        rmtree(os.path.join(home, f"{INDEX_NAME}.tmp"), ignore_errors=True)


class New(NamedTuple):
    """Segments that were written, and those that they replace."""

    written: list[Any]
    merged: list[Any]


def _deleting(change: Change, segments: list[Any], snapshot: Snapshot | None) -> Iterator[documents.Indexed]:
    """The change's notes for the index, the old version of each deleted on the way."""
    for done, doc in enumerate(change.docs, 1):
        _delete(segments, snapshot, doc.header.path)
        yield documents.indexed(doc)
        if change.progress and done % 100 == 0:
            change.progress(done, -1)


def _new_segments(
    storage: Any, schema: Any, notes: Iterator[documents.Indexed], old: list[tuple[Any, Readable]]
) -> New:
    written: list[Any] = []
    writer = SegmentWriter(storage, schema, INDEX_NAME)
    try:
        for note in notes:
            if writer.postings > _POSTINGS_IN_MEMORY:
                written.append(writer.finish())
                writer = SegmentWriter(storage, schema, INDEX_NAME)
            writer.add(note)
        merged = choose([segment for segment, _ in old])
        for segment, readable in old:
            if segment in merged:
                writer.add_segment(readable, frozenset(segment.deleted_docs()))
    except BaseException:
        writer.cancel()
        raise
    finished = writer.finish()
    return New([*written, finished] if writer.documents else written, merged)


def choose(segments: list[Any]) -> list[Any]:
    """Which segments to merge: those half deleted, and the smallest ones once there are too many.

    So each note is rewritten a few times in all.
    """
    hollow = [s for s in segments if s.deleted_count() * 2 > s.doc_count_all()]
    rest = sorted((s for s in segments if s not in hollow), key=lambda s: s.doc_count_all())
    if len(rest) <= _SEGMENTS:
        return hollow
    total, small = 0, list[Any]()
    for segment in rest:
        if len(small) > 1 and segment.doc_count_all() > 2 * total:
            break
        small.append(segment)
        total += segment.doc_count_all()
    return hollow + small


def _delete(segments: list[Any], snapshot: Snapshot | None, path: str) -> None:
    document = snapshot.document_of(path) if snapshot else None
    if snapshot is not None and document is not None:
        at, number = snapshot.locate(document)
        segments[at].delete_document(number)


def write_state(folder: str, state: State) -> None:
    """Make a commit the one that readers see."""
    staged = os.path.join(folder, f"{STATE}.{os.getpid()}")
    with open(staged, "w", encoding="utf-8") as file:
        file.write(dumps(sealed(state)))
    os.replace(staged, os.path.join(folder, STATE))


def sealed(state: State) -> State:
    """The state with a checksum over all else in it."""
    rest = {key: value for key, value in state.items() if key != "sum"}
    return {**rest, "sum": crc32(dumps(rest).encode())}


def _sweep(folder: str, live: str) -> None:
    """Delete what earlier builds left; what another process still holds is left for the next time."""
    for name in os.listdir(folder):
        if name.startswith("index-") and name != live:
            rmtree(os.path.join(folder, name), ignore_errors=True)
