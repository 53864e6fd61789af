"""embeddings: search by meaning beside words, on or off for this user."""

from collections.abc import Mapping

from markdown_memory.frontends.cli.call import Call


def enable(call: Call, provider: str, model: str, url: str, key_variable: str) -> None:
    """Choose a provider, try it, and give the notes their vectors."""
    with call.memory() as memory:
        status = memory.embeddings.enable(provider, model=model, url=url, key_variable=key_variable)
    _say(call, status._asdict(), f"on, with {status.provider}; {status.notes} notes have vectors")


def refresh(call: Call) -> None:
    """Give vectors to the notes that lack them."""
    with call.memory() as memory:
        status = memory.embeddings.refresh()
    _say(call, status._asdict(), f"{status.notes} notes have vectors")


def disable(call: Call) -> None:
    """Search by words only again."""
    with call.memory() as memory:
        was_on = memory.embeddings.disable()
        status = memory.embeddings.status()
    _say(call, status._asdict(), "off; the vectors stay in the cache" if was_on else "was off already")


def status(call: Call) -> None:
    """Say how it stands."""
    with call.memory() as memory:
        found = memory.embeddings.status()
    model = f" ({found.model})" if found.model else ""
    words = f"on, with {found.provider}{model}" if found.enabled else "off; `mdmem embeddings enable`"
    _say(call, found._asdict(), words)


def _say(call: Call, status: Mapping[str, object], words: str) -> None:
    if call.json:
        return call.document({"embeddings": dict(status)})
    return call.lines([words])
