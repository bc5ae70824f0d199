"""Folders of nets: weights, ``net.json`` for programs and a card for people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from tabia.learning.folder import atomic_folder
from tabia.learning.seal import SealError, check_entries, check_files, sealed
from tabia.learning.training import reproducible
from tabia.search.nets.config import NetShape, architecture_of
from tabia.search.nets.net import Net, make

__all__ = ["FORMAT", "NetFolderError", "SavedNet", "load", "save"]

FORMAT = 3
"""Version of the folder's layout; raised when an older program could not read it."""

_WEIGHTS = "weights.safetensors"
_ABOUT = "net.json"
_CARD = "README.md"

Fact = str | int | float | bool | None


class NetFolderError(ValueError):
    """A folder that holds no net, or one that cannot be read."""

    exit_code = 3


@dataclass(frozen=True)
class SavedNet:
    """A net and where it comes from.

    Attributes
    ----------
    net
        In evaluation mode.
    provenance
        What was said when it was saved: run, generation, steps, games, seed.
    """

    net: Net
    provenance: Mapping[str, Fact]


def save(folder: Path, net: Net, provenance: Mapping[str, Fact]) -> None:
    """Write a folder, whole or not at all; equal nets and provenance give equal bytes.

    Parameters
    ----------
    folder
        Replaced if there is one.
    net
        The net.
    provenance
        Plain values for the card and for programs. Nothing dated, no paths of the machine.
    """
    weights = {name: part.contiguous().numpy() for name, part in net.state_dict().items()}
    about = {
        "format": FORMAT,
        "shape": net.shape.model_dump(),
        "architecture": net.settings.model_dump(),
        "parameters": net.n_parameters,
        "provenance": dict(provenance),
    }
    with atomic_folder(folder) as unfinished:
        save_file(weights, unfinished / _WEIGHTS)
        entries = sealed(about, unfinished)
        text = json.dumps(entries, indent=1, sort_keys=True, allow_nan=False) + "\n"
        (unfinished / _ABOUT).write_text(text, encoding="utf-8")
        (unfinished / _CARD).write_text(_card(about), encoding="utf-8")


def load(folder: Path) -> SavedNet:
    """Read a folder; the net answers exactly as the saved one.

    Raises
    ------
    NetFolderError
        If something is missing, damaged, changed or of another version, or does not fit together.
    """
    about = _about(folder / _ABOUT)
    try:
        check_entries(about, folder / _ABOUT)
        check_files(about["files"], folder, _ABOUT)
        shape = NetShape.model_validate(about["shape"])
        settings = architecture_of(about["architecture"])
        provenance = dict(about["provenance"])
    except SealError as error:
        raise NetFolderError(str(error)) from error
    except (KeyError, TypeError, ValidationError) as error:
        raise NetFolderError(f"{folder / _ABOUT}: {error}") from error
    with reproducible(0, threads=1):  # weights are drawn before they are replaced
        net = make(shape, settings)
    path = folder / _WEIGHTS
    try:
        arrays = load_file(path)
    except (OSError, SafetensorError) as error:
        raise NetFolderError(f"{path} cannot be read: {error}; save the net again") from error
    wanted = net.state_dict()
    found = {name: torch.from_numpy(part) for name, part in arrays.items()}
    faults = [f"{name} is missing" for name in sorted(wanted.keys() - found.keys())]
    faults += [f"{name} is unknown" for name in sorted(found.keys() - wanted.keys())]
    faults += [
        f"{name} has the shape {list(found[name].shape)}, not {list(wanted[name].shape)}"
        for name in sorted(wanted.keys() & found.keys())
        if found[name].shape != wanted[name].shape
    ]
    if faults:
        more = f" and {len(faults) - 3} more" if len(faults) > 3 else ""
        raise NetFolderError(
            f"{path} does not hold the net of {_ABOUT}: {'; '.join(faults[:3])}{more}"
        )
    net.load_state_dict(found)
    return SavedNet(net.eval(), provenance)


def _about(path: Path) -> dict[str, Any]:
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NetFolderError(
            f"{path} is missing: {path.parent} is no folder of a search's net"
        ) from error
    except ValueError as error:
        raise NetFolderError(f"{path} is no JSON: {error}") from error
    version = about.get("format") if isinstance(about, dict) else None
    if version != FORMAT:
        raise NetFolderError(f"{path}: format {version}; this program reads {FORMAT}")
    return dict(about)


def _card(about: Mapping[str, Any]) -> str:
    shape, settings = about["shape"], dict(about["architecture"])
    name = settings.pop("architecture")
    lines = [
        "---",
        "license: gpl-3.0-or-later",
        f"tags: [{shape['game']}, search, tabia]",
        "---",
        f"# {name}, {shape['game']}, {shape['rows']} × {shape['columns']}",
        "",
        "Gives a search its priors and values: logits of moves and the expected result, from the"
        " view of the player to move.",
        "",
        f"- Reads {shape['planes']} planes and {shape['numbers']} numbers; positions shown:"
        f" {shape['history']}",
        f"- Parameters: {about['parameters']:,}",
        f"- Settings: {_pairs(settings)}",
        f"- Provenance: {_pairs(about['provenance'])}",
        "",
        "The files hold no code: `weights.safetensors` and `net.json` are all that loading reads.",
    ]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "nothing stated"
