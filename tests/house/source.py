"""The package's own source, read with `ast`: which module imports what, where, and whether only for type checkers."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "markdown_memory"


class Import(NamedTuple):
    """One imported module. `top` = runs when the importing module is loaded; `typing` = seen by type checkers only."""

    source: str
    target: str
    line: int
    top: bool
    typing: bool

    def __str__(self) -> str:
        return f"{self.source}:{self.line} imports {self.target}"


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its dotted name."""
    return {_dotted(path): ast.parse(path.read_text("utf-8"), str(path)) for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports() -> tuple[Import, ...]:
    """Every import of every module, with names that are modules resolved to them."""
    return tuple(found for name, tree in modules().items() for found in _imports(name, tree, top=True, typing=False))


def is_package(module: str) -> bool:
    """Whether the module is a package's `__init__.py`."""
    return PACKAGE.parent.joinpath(*module.split("."), "__init__.py").is_file()


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(source: str, node: ast.AST, *, top: bool, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        for target in _targets(source, child):
            yield Import(source, target, getattr(child, "lineno", 0), top, typing)
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _imports(source, child, top=top, typing=True)
        else:
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imports(source, child, top=top and not inside, typing=typing)


def _targets(source: str, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            package = source.split(".") if is_package(source) else source.split(".")[:-1]
            base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
        for alias in node.names:
            whole = f"{base}.{alias.name}"
            if alias.name != "__version__":  # a constant of the package itself, which imports nothing
                yield whole if whole in modules() else base
