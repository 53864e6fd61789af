"""stub"""

from typing import Any


def append(call: Any, **v: Any) -> None:
    print(v)


def read(call: Any, **v: Any) -> None:
    print(v)


def adopt(call: Any, **v: Any) -> None:
    print(v)
