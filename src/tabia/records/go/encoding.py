"""Encodings of SGF files: what a file says, what its bytes are, and what a value by itself is.

Names and comments never decide whether a game is accepted: moves are ASCII. So a value that no
encoding fits keeps what can be read, with U+FFFD for the rest. Only encodings whose second bytes
can be brackets or backslashes (GB18030, Big5, Shift JIS) must be undone before a file is cut into
properties.
"""

from __future__ import annotations

import codecs
import re
from functools import cache

__all__ = ["text_of", "to_utf8"]

_HEAD = 4096
_DECLARED = re.compile(rb"CA\[\s*([A-Za-z0-9_.:-]{2,30})\s*\]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_WESTERN = re.compile(rb"(?:(?<=[A-Za-z])[\xc0-\xff]{1,2}|[\xc0-\xff]{1,2}(?=[A-Za-z]))")
# An encoding of each family, with the rows and cells of its frequent characters: those of the first
# level of its standard, and kana. Two bytes of Korean EUC are nearly always two of Chinese, so that
# it is only believed where the file names it.
_LEGACY = (
    ("gb18030", (range(0xA1, 0xA4), range(0xB0, 0xD8)), (range(0xA1, 0xFF),)),
    ("big5", (range(0xA1, 0xC7),), (range(0x40, 0x7F), range(0xA1, 0xFF))),
    ("cp932", (range(0x81, 0x84), range(0x88, 0x98)), (range(0x40, 0x7F), range(0x80, 0xFD))),
    ("euc_jp", (range(0xA1, 0xA6), range(0xB0, 0xD0)), (range(0xA1, 0xFF),)),
)
_KANA = re.compile("[\u3041-\u30fe]")


def to_utf8(data: bytes) -> tuple[bytes, str]:
    """Return a file's bytes with ASCII in its place, and the encoding of its texts.

    Parameters
    ----------
    data
        A file.

    Returns
    -------
    bytes
        UTF-8, or the bytes as they are where ASCII bytes are always themselves.
    str
        The file's, for `text_of`.
    """
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if data.startswith(mark):
            return data[2:].decode(codec, "replace").encode(), codec
    if data.isascii() or _decodes(data, "utf-8"):
        return data, "utf-8"
    codec = _declared(data) or ""
    if codec != "utf-8" and _decodes(data, codec):
        text = data.decode(codec)
        return (data if len(text) == len(data) else text.encode()), codec
    if _is_mostly_utf8(data):
        return data, "utf-8"
    codec = _guess(data)
    if codec in ("utf-8", "cp1252"):
        return data, codec
    return data.decode(codec).encode(), codec


def text_of(value: bytes, encoding: str) -> str:
    """Return a value as text.

    Parameters
    ----------
    value
        Between the brackets, escapes and all.
    encoding
        What `to_utf8` returned of the file. Values of a file that is damaged UTF-8, or mixed, are
        read each by itself.
    """
    if value.isascii():
        return value.decode("ascii")
    try:
        return value.decode()
    except UnicodeDecodeError:
        pass
    if encoding != "utf-8" and _decodes(value, encoding):
        return value.decode(encoding)
    if _is_mostly_utf8(value):
        return value.decode("utf-8", "replace")
    return value.decode(_guess(value), "replace")


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data, 0, _HEAD)
    if match is None:
        return None
    name = match[1].decode("ascii").lower().replace("iso8859_", "iso8859-")
    # Windows' supersets of what files say that they are.
    name = {
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "shift_jis": "cp932",
        "sjis": "cp932",
        "euc-kr": "cp949",
    }.get(name, name)
    try:
        info = codecs.lookup(name)
    except LookupError:
        return None
    if name in ("latin1", "latin-1") or info.name == "iso8859-1":
        return "cp1252"
    return info.name if info.name != "ascii" else None


def _decodes(data: bytes, codec: str) -> bool:
    if not codec:
        return False
    try:
        data.decode(codec)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _is_mostly_utf8(data: bytes) -> bool:
    """Whether most bytes beyond ASCII are those of whole characters of three bytes and more.

    Shorter ones come about by chance in other encodings.
    """
    high = sum(map(len, _HIGH.findall(data)))
    whole = sum(
        len(letter.encode()) for letter in data.decode("utf-8", "ignore") if letter > "\u07ff"
    )
    return 2 * whole > high


def _guess(data: bytes) -> str:
    runs = _HIGH.findall(data)
    if sum(map(len, _WESTERN.findall(data))) == sum(map(len, runs)):
        return "cp1252"
    best, most = "cp1252", 0.5
    for codec, *_ in _LEGACY:
        if not _decodes(data, codec):
            continue
        letters = [letter for letter in data.decode(codec) if not letter.isascii()]
        if codec in ("euc_jp", "cp932") and not _KANA.search("".join(letters)):
            continue
        share = sum(letter in _frequent(codec) for letter in letters) / len(letters)
        if share > most:
            best, most = codec, share
    return best


@cache
def _frequent(codec: str) -> frozenset[str]:
    ((rows, cells),) = ((rows, cells) for name, rows, cells in _LEGACY if name == codec)
    pairs = (
        bytes((row, cell)) for part in rows for row in part for cells_ in cells for cell in cells_
    )
    return frozenset(letter for pair in pairs if len(letter := pair.decode(codec, "ignore")) == 1)
