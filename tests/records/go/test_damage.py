"""Damaged SGF: whatever the bytes are, records come out, and a table can be made of them."""

from __future__ import annotations

import random

from tabia.records.arrow import Origin
from tabia.records.go.read import read
from tabia.records.go.record import REASONS, Record, Reject
from tabia.records.go.write import write_sgf
from tabia.records.go_files import GoGames, tables

TEXTS = [
    "(;GM[1]FF[4]SZ[9]KM[650]HA[2]PB[聂卫平]BR[9段]RE[B+2.5]AB[cc][gg]C[a \\] b];W[ee];B[dd]"
    "(;W[];B[tt])(;W[dc]C[x]))\n(;SZ[19];B[pd];W[dp];B[pp];W[dd])".encode("gb18030"),
    "(;CA[Shift_JIS]PB[武宮正樹]C[これは]AW[aa:cb]PL[W];W[ff];AE[aa];B[gg]BL[3])".encode("cp932"),
    b";GM[1]SZ[13]RE[White resigns]DT[2000-9-4];B[jj];W[dd](;B[ee];W[])(;B[kk])",
]
BYTES = b"()[];:\\BWACttaz0129.+-\n \0\xff\xe9\x81"


def damaged(seed: int) -> bytes:
    rng = random.Random(seed)
    data = bytearray(rng.choice(TEXTS))
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data))
        match rng.randrange(3):
            case 0:
                data[at] = rng.choice(BYTES)
            case 1:
                data.insert(at, rng.choice(BYTES))
            case _:
                del data[at : at + rng.randrange(1, 9)]
    return bytes(data)


def test_damaged_files_give_records_and_rejects_only() -> None:
    found: list[Record | Reject] = []
    for seed in range(1500):
        found += read(damaged(seed), "a.sgf")
    rejects = [one for one in found if isinstance(one, Reject)]
    assert {one.reason for one in rejects} <= set(REASONS)
    assert {"bad_record", "bad_move", "illegal_move", "bad_setup"} <= {
        one.reason for one in rejects
    }
    games = [one for one in found if isinstance(one, Record)]
    assert len(games) > 500
    for one in games:
        assert list(read(write_sgf(one).encode())) == [one]
    origin = Origin("s", "a.sgf", "go", "people")
    rows, faults = tables([(GoGames.sorted_out(found, 0), origin)])
    assert (rows.num_rows, faults.num_rows) == (len(games), len(rejects))
