"""stub"""

from typing import Any


def list_keys(call: Any, **v: Any) -> None:
    print(v)


def confirm(call: Any, **v: Any) -> None:
    print(v)
