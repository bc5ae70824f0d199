from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest

from tabia.learning.seal import digest
from tabia.search.nets.folder import NetFolderError, load, save
from tests.search.nets.made import CASES, GO, case_name, inputs, made, outputs

ORIGIN = {"generation": 3, "games": 1200, "run": "go 5 × 5"}


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_a_net_comes_back_as_it_was(name, shape, tmp_path):
    net = made(name, shape)
    save(tmp_path / "net", net, ORIGIN)
    found = load(tmp_path / "net")
    assert (found.net.shape, found.net.settings) == (net.shape, net.settings)
    assert dict(found.provenance) == ORIGIN
    for before, after in zip(
        outputs(net, *inputs(shape, 4)), outputs(found.net, *inputs(shape, 4)), strict=True
    ):
        np.testing.assert_array_equal(before, after)


def test_equal_nets_give_equal_files(tmp_path):
    for name in ("one", "two"):
        save(tmp_path / name, made("small", GO), ORIGIN)
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert names == {"weights.safetensors", "net.json", "README.md"}
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_card_says_what_it_is_and_where_it_comes_from(tmp_path):
    save(tmp_path / "net", made("small", GO), ORIGIN)
    card = (tmp_path / "net/README.md").read_text()
    assert "# small, go, 5 × 5" in card
    assert "generation 3, games 1200" in card


def spoil(folder, what):
    about = folder / "net.json"
    values = json.loads(about.read_text())
    if what == "format":
        values["format"] = 99
    elif what == "channels":
        values["architecture"]["channels"] = 16
    elif what == "blocks":
        values["architecture"]["blocks"] = 3
    elif what == "moves":
        values["shape"]["moves"] = 7
    elif what == "shape":
        del values["shape"]
    elif what == "changed":
        values["provenance"]["generation"] = 4
    if what != "changed":  # as another version would have written it
        values["digest"] = digest(values)
    about.write_text(json.dumps(values))
    if what == "no JSON":
        about.write_text("{")
    elif what == "no net.json":
        about.unlink()
    elif what == "no weights":
        (folder / "weights.safetensors").unlink()
    elif what.startswith("half the weights"):
        path = folder / "weights.safetensors"
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        if what.endswith("sealed"):
            values["files"] = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()}
            about.write_text(json.dumps(values | {"digest": digest(values)}))
    elif what == "a flipped bit":
        path = folder / "weights.safetensors"
        weights = bytearray(path.read_bytes())
        weights[-4] ^= 1
        path.write_bytes(weights)


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("format", "format 99; this program reads 3"),
        ("channels", r"has the shape \[8, .*, not \[16, .* and \d+ more"),
        ("blocks", r"blocks\.2\.\S+ is missing"),
        ("moves", r"go of 5 × 5 points with 7 moves; 5 × 5 has 26"),
        ("shape", "shape"),
        ("no JSON", "is no JSON"),
        ("no net.json", "is no folder of a search's net"),
        ("changed", "changed after training"),
        ("no weights", r"weights\.safetensors: the file is missing"),
        ("half the weights", "the file is damaged"),
        ("half the weights, sealed", "cannot be read"),
        ("a flipped bit", "the file is damaged"),
    ],
)
def test_a_spoilt_folder_is_refused_with_the_reason(what, text, tmp_path):
    save(tmp_path / "net", made("small", GO), ORIGIN)
    spoil(tmp_path / "net", what)
    with pytest.raises(NetFolderError, match=text) as error:
        load(tmp_path / "net")
    assert error.value.exit_code == 3
