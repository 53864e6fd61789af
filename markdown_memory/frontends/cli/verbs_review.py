"""stub"""

from typing import Any


def queue(call: Any, **v: Any) -> None:
    print(v)


def list_proposals(call: Any, **v: Any) -> None:
    print(v)


def show(call: Any, **v: Any) -> None:
    print(v)


def accept(call: Any, **v: Any) -> None:
    print(v)


def edit(call: Any, **v: Any) -> None:
    print(v)


def reject(call: Any, **v: Any) -> None:
    print(v)


def undo(call: Any, **v: Any) -> None:
    print(v)
