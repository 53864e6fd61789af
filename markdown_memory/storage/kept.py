"""What was worked out once and stays true until something changes, kept in the catalog."""

import json
from collections.abc import Callable
from typing import TypeVar

from markdown_memory.storage.catalog import Catalog

T = TypeVar("T")


def kept(catalog: Catalog, place: str, depends: str, make: Callable[[], T]) -> T:
    """What `make` gives, as JSON can hold it; made anew only when it `depends` on something else than last time."""
    stamp = f"{depends}\n"
    text = catalog.meta(place)
    if text.startswith(stamp):
        value: T = json.loads(text[len(stamp) :])
        return value
    value = make()
    catalog.set_meta(place, stamp + json.dumps(value))
    return value
