"""stub"""

from typing import Any


def demo(call: Any, **v: Any) -> None:
    print(v)
