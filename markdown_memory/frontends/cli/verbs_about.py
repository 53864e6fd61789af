"""help and version."""

from markdown_memory.errors import NotFound
from markdown_memory.frontends.cli import guide
from markdown_memory.frontends.cli.call import Call


def version(call: Call) -> None:
    """Print the version of the program and of Python."""
    import platform

    from markdown_memory import __version__

    if call.json:
        return call.document({"version": __version__, "python": platform.python_version()})
    return call.lines([f"mdmem {__version__} (Python {platform.python_version()})"])


def explain(call: Call, topic: tuple[str, ...]) -> None:
    """Print the text of a topic."""
    name = " ".join(topic)
    if name not in guide.TOPICS:
        raise NotFound(f"There is no command and no help topic {name!r}; topics are {', '.join(guide.TOPICS)}.")
    text = guide.TOPICS[name]()
    if call.json:
        return call.document({"topic": name, "text": text})
    return call.lines([text.rstrip("\n")])
