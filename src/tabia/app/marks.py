"""Code marks: what the DAG knows about the code that a stage runs.

Snakemake does not see edits inside an imported package, so every spec carries a mark. A cheap
stage's mark hashes the syntax trees of the stage module and of everything inside the package
that it imports: comments, docstrings and layout do not count. Where the closure reaches a
Cython module, the C++ files that module includes count as well, without their comments. A dear
stage (hours of engine or training time) has a hand-raised ``REVISION`` instead, which a golden
test guards.

Modules named ``config`` do not count: their values are in the spec already.
Standard library only, because the dry run imports this module.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["MarkError", "closure", "mark", "own", "revision"]

_PACKAGE = Path(__file__).resolve().parents[1]  # .../tabia
_NATIVE = _PACKAGE.parent / "native"
_CYTHON = frozenset({".pyx", ".pxd"})
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a syntax tree that hold statements, or what holds statements."""


class MarkError(RuntimeError):
    """A stage whose code cannot be found or read."""


@cache
def mark(module: str) -> str:
    """Hash of the code behind `module`, twelve hexadecimal digits.

    Parameters
    ----------
    module
        Dotted name inside the package, ``"tabia.records.games"``.
    """
    digest = hashlib.sha256()
    for name in sorted(closure(module)):
        digest.update(f"{name}\0{_content(name)}\0".encode())
    return digest.hexdigest()[:12]


def own(module: str) -> str:
    """Hash of the code of `module` alone, without what it imports; for a dear stage's own file."""
    return hashlib.sha256(_content(module).encode()).hexdigest()[:12]


def revision(module: str) -> str:
    """The mark of a dear stage: the ``REVISION = N`` that `module` declares.

    Raises
    ------
    MarkError
        If the module has no integer ``REVISION`` at its top level.
    """
    for node in _tree(module).body:
        if (
            isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == "REVISION" for t in node.targets)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, int)
        ):
            return f"revision {node.value.value}"
    raise MarkError(f"{module} declares no integer REVISION")


@cache
def closure(module: str) -> frozenset[str]:
    """Names of the package modules that `module` imports, directly or not, itself included."""
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(_imports(name) - seen)
    return frozenset(seen)


@cache
def _file(module: str) -> Path | None:
    """Source of a package module: .py, .pyx, .pxd or a package; None for what is none of them."""
    parts = module.split(".")[1:]
    base = _PACKAGE.joinpath(*parts)
    candidates = [base.with_suffix(end) for end in (".py", ".pyx", ".pxd")]
    for candidate in (*candidates, base / "__init__.py"):
        if candidate.is_file() and module.split(".")[0] == "tabia":
            return candidate
    return None


@cache
def _tree(module: str) -> ast.Module:
    path = _file(module)
    if path is None or path.suffix != ".py":
        raise MarkError(f"no Python source for {module} under {_PACKAGE}")
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def _imports(module: str) -> frozenset[str]:
    path = _file(module)
    if path is None:
        raise MarkError(f"no source for {module} under {_PACKAGE}")
    if path.suffix in _CYTHON:
        text = _without_comments(path.read_text(encoding="utf-8"), python=True)
        named = re.findall(r"^\s*from\s+(tabia[\w.]*)\s+c?import\b", text, re.M)
        return frozenset(name for name in named if _file(name))
    found: set[str] = set()
    for node in _statements(_tree(module)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise MarkError(f"{path}:{node.lineno}: relative import; marks need absolute ones")
            origin = node.module or ""
            for alias in node.names:
                inner = f"{origin}.{alias.name}"
                found.add(inner if _file(inner) else origin)
    return frozenset(
        name
        for name in found
        if name.startswith("tabia.") and name.rsplit(".", 1)[-1] != "config" and _file(name)
    )


@cache
def _content(module: str) -> str:
    path = _file(module)
    if path is not None and path.suffix in _CYTHON:
        return _native_content(path)
    tree = _tree(module)
    for node in _statements(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and not isinstance(node, ast.ExceptHandler):
            node.body = [child for child in body if not _is_text(child)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield `tree`, its statements and what holds statements: a tenth of what ``ast.walk`` does."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        for field in _BLOCKS:
            inside = getattr(node, field, None)
            if isinstance(inside, list):
                waiting.extend(inside)
        yield node


def _is_text(node: ast.AST) -> bool:
    """True for a string that stands alone: a docstring, or the description of an attribute."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _native_content(pyx: Path) -> str:
    """Code of a Cython module and of the C++ files below src/native that it includes."""
    text = _without_comments(pyx.read_text(encoding="utf-8"), python=True)
    parts = [text]
    pxd = pyx.with_suffix(".pxd")
    if pxd != pyx and pxd.is_file():
        parts.append(_without_comments(pxd.read_text(encoding="utf-8"), python=True))
    if not _NATIVE.is_dir():
        # An installed wheel has no C++ sources; the extension then says what it was built from.
        from tabia._native import build_info

        return "\0".join([*parts, build_info.SOURCE_HASH])
    waiting = [_NATIVE / name for name in re.findall(r'from\s+"([^"]+)"', "\n".join(parts))]
    waiting += [_NATIVE / name for name in re.findall(r'^#\s*include\s+"([^"]+)"', text, re.M)]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop().resolve()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        code = path.read_text(encoding="utf-8")
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', code, re.M):
            waiting += [path.parent / name, _NATIVE / name]
        waiting.append(path.with_suffix(".cpp"))
    for path in sorted(seen):
        parts.append(f"{path.relative_to(_NATIVE)}\0")
        parts.append(_without_comments(path.read_text(encoding="utf-8"), python=False))
    return "\0".join(parts)


_TOKENS = {
    True: re.compile(r'("""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')|(#[^\n]*)'),
    False: re.compile(r'("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')|(//[^\n]*|/\*(?:.|\n)*?\*/)'),
}


def _without_comments(code: str, *, python: bool) -> str:
    """Drop comments and trailing space; keep strings and, for Cython, indentation."""
    bare = _TOKENS[python].sub(lambda found: found.group(1) or " ", code)
    if python:
        bare = re.sub(r'^\s*"""(?:.|\n)*?"""\s*$', "", bare, flags=re.M)
        return "\n".join(line.rstrip() for line in bare.splitlines() if line.strip())
    return " ".join(bare.split())
