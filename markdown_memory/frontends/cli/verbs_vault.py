"""stub"""

from typing import Any


def init(call: Any, **v: Any) -> None:
    print(v)


def link(call: Any, **v: Any) -> None:
    print(v)


def trust(call: Any, **v: Any) -> None:
    print(v)


def verify(call: Any, **v: Any) -> None:
    print(v)


def doctor(call: Any, **v: Any) -> None:
    print(v)


def index(call: Any, **v: Any) -> None:
    print(v)


def stats(call: Any, **v: Any) -> None:
    print(v)
