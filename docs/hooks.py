"""Hooks of the documentation's build: pages whose one source lies elsewhere, and the results.

``docs/config.md`` and ``docs/profiles.md`` stand for files that people also read in their own
folders; the site shows those files. Reports under ``docs/results/`` join the navigation by
themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["on_config", "on_page_markdown"]

_ROOT = Path(__file__).resolve().parents[1]

_SHOWN = {"config.md": "config/README.md", "profiles.md": "profiles/README.md"}
"""Source of each page that is a file from elsewhere."""


def on_config(config: Any) -> Any:
    """Add the reports of real runs to the navigation, in order of name."""
    found = sorted(Path(config["docs_dir"], "results").glob("*.md"))
    if found:
        config["nav"].append({"Results": [f"results/{path.name}" for path in found]})
    return config


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the text of the file that a page stands for; other pages stay as they are."""
    source = _SHOWN.get(page.file.src_uri)
    if source is None:
        return markdown
    text = (_ROOT / source).read_text(encoding="utf-8")
    for name, file in _SHOWN.items():
        text = text.replace(f"](../{file})", f"]({name})")
    return text
