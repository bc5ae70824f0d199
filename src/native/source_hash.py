"""Hash of everything the native extension is built from.

The build writes this hash into the extension (`tabia._native.build_info.SOURCE_HASH`); whoever has
the sources can compute it again and so notice an extension that is older than its sources.

From the shell: `python src/native/source_hash.py` prints the hash of the project this file lies in;
with `--header FILE` it writes the C header that the build includes, touching it only when the hash
has changed. From Python, with only the standard library::

    import runpy
    source_hash = runpy.run_path("src/native/source_hash.py")["source_hash"]
    stale = source_hash() != tabia._native.build_info.SOURCE_HASH
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def source_files(root: Path) -> list[Path]:
    """Files that decide what the extension is, in the order in which they are hashed.

    These are `CMakeLists.txt`, `src/native/**` without directories named `tests`, and the `.pyx`
    and `.pxd` files of `src/tabia/_native`.

    Parameters
    ----------
    root
        Top directory of the project.

    Returns
    -------
    list[Path]
        Paths relative to `root`, sorted by their POSIX form.
    """
    native = [path.relative_to(root) for path in (root / "src/native").rglob("*") if path.is_file()]
    skipped = {"tests", "__pycache__"}
    files = [
        path
        for path in native
        if not skipped & set(path.parts) and not any(part.startswith(".") for part in path.parts)
    ]
    bindings = root / "src/tabia/_native"
    for pattern in ("*.pyx", "*.pxd"):
        files += [path.relative_to(root) for path in bindings.glob(pattern)]
    files.append(Path("CMakeLists.txt"))
    return sorted(files, key=lambda path: path.as_posix())


def source_hash(root: str | Path = ROOT) -> str:
    """SHA-256, in hexadecimal, over the names and contents of the source files.

    Parameters
    ----------
    root
        Top directory of the project.

    Returns
    -------
    str
        64 hexadecimal digits. Line ends count: the files are hashed as bytes.
    """
    root = Path(root)
    digest = hashlib.sha256()
    for path in source_files(root):
        content = (root / path).read_bytes()
        digest.update(f"{path.as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def main(arguments: list[str]) -> int:
    """Print the hash, or write the header that carries it."""
    if not arguments:
        print(source_hash())
        return 0
    if len(arguments) == 2 and arguments[0] == "--header":
        header = Path(arguments[1])
        text = f'#define TABIA_SOURCE_HASH "{source_hash()}"\n'
        if not header.exists() or header.read_text() != text:
            header.write_text(text)
        return 0
    print("usage: source_hash.py [--header FILE]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
