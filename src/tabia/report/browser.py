"""What the report page needs in a browser: style, script, and the two libraries, all inline.

Nothing may be requested from the network: the libraries come from installed packages, and the
page's content security policy forbids every outside source.

Tables are sorted and searched by DataTables, from the bundle that itables carries for offline
use. It costs 0.7 MB and brings what a short script of our own would get wrong: keyboard use,
screen readers, paging, sorting by hidden values.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

import vl_convert

from tabia.report.figure import VEGA_LITE
from tabia.report.theme import DARK

__all__ = ["POLICY", "figure_script", "page_script", "style", "tables_script", "tables_style"]

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline';"
    " img-src data: blob:; font-src data:"
)
"""Content security policy: Vega compiles expressions, hence 'unsafe-eval'; no outside source."""


class BundleError(RuntimeError):
    """The installed itables has another bundle than this module knows."""


@cache
def figure_script() -> str:
    """Vega, Vega-Lite and vega-embed as one module that sets ``window.vegaEmbed``."""
    return _safe(
        vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    )


@cache
def tables_script() -> str:
    """DataTables as one module that sets ``window.ITable``.

    Raises
    ------
    BundleError
        If the bundle does not export ``ITable`` in the way that is replaced here.
    """
    text = resources.files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8")
    found = re.search(r"export\{[^}]*?([\w$]+) as ITable[^}]*\};?", text)
    if found is None:
        raise BundleError("itables: html/dt_bundle.js exports no ITable; tabia knows itables 2.9")
    return _safe(f"{text[: found.start()]}window.ITable={found[1]};{text[found.end() :]}")


@cache
def tables_style() -> str:
    """DataTables' style sheet; its images are inline already."""
    return resources.files("itables").joinpath("html/dt_bundle.css").read_text(encoding="utf-8")


def page_script() -> str:
    """Draw the figures in the reader's colours, make the tables sortable, prepare printing."""
    return _safe(_SCRIPT.replace("DARK_CONFIG", json.dumps(DARK, sort_keys=True)))


def style() -> str:
    """Return the page's own style sheet."""
    return _STYLE


def _safe(script: str) -> str:
    """Keep a script from ending its own element."""
    return script.replace("</script", "<\\/script")


_SCRIPT = """
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const darkConfig = DARK_CONFIG;
const merge = (base, over) => {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over))
    merged[key] = value && typeof value === "object" && !Array.isArray(value)
      ? merge(base[key] ?? {}, value) : value;
  return merged;
};
async function draw(place, colours) {
  const text = document.getElementById(place.dataset.spec).textContent;
  const spec = JSON.parse(text);
  spec.config = merge(spec.config, colours);
  // An element of its own: vega-embed makes it as wide as the drawing, so this one can scroll.
  const inner = document.createElement("div");
  place.replaceChildren(inner);
  await window.vegaEmbed(inner, spec, {
    mode: "vega-lite",
    // Thousands of points are slow as SVG elements.
    renderer: text.length > 200000 ? "canvas" : "svg",
    actions: { export: true, source: false, compiled: false, editor: false },
  });
  place.removeAttribute("aria-busy");
}
async function drawAll() {
  document.documentElement.classList.toggle("dark", dark.matches);
  const colours = dark.matches ? darkConfig : { background: null };
  for (const place of document.querySelectorAll("[data-spec]")) await draw(place, colours);
}
const tables = [];
for (const table of document.querySelectorAll("table.figures")) {
  const long = table.tBodies[0].rows.length > 25;
  const made = new window.ITable(table, {
    order: [],
    paging: long,
    pageLength: 25,
    lengthMenu: [25, 100, { label: "all", value: -1 }],
    info: long,
    autoWidth: false,
    layout: {
      topStart: long ? "pageLength" : null,
      topEnd: "search",
      bottomStart: long ? "info" : null,
      bottomEnd: long ? "paging" : null,
    },
    language: { search: "Search:", emptyTable: "No rows" },
  });
  tables.push(made);
}
window.addEventListener("beforeprint", () => {
  for (const made of tables) made.dt.page.len(-1).draw();
});
dark.addEventListener("change", drawAll);
await drawAll();
document.documentElement.dataset.ready = "yes";
"""

_STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --paper: #ffffff; --wash: #f6f8fa;
  --link: #0b5cad; --note: #fff6e0; --note-line: #e69f00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --soft: #a3adb8; --line: #30363d; --paper: #0f1318; --wash: #171c23;
    --link: #6cb6ff; --note: #2c2410; --note-line: #b27b00;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; background: var(--paper); }
body {
  margin: 0; color: var(--ink); background: var(--paper);
  font: 15px/1.55 system-ui, "Segoe UI", "Liberation Sans", Arial, sans-serif;
}
a { color: var(--link); }
.page { display: grid; grid-template-columns: 220px minmax(0, 1fr); max-width: 1360px;
  margin: 0 auto; gap: 40px; padding: 0 28px 80px; }
header { grid-column: 1 / -1; padding-top: 36px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
header p { color: var(--soft); margin: 0 0 14px; max-width: 76ch; }
h2 { font-size: 22px; margin: 8px 0 14px; padding-bottom: 6px;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 17px; margin: 34px 0 6px; }
h4 { font-size: 15px; margin: 22px 0 6px; }
main > section + section { margin-top: 56px; }
nav { position: sticky; top: 24px; align-self: start; font-size: 14px; max-height: 94vh;
  overflow-y: auto; }
nav h2 { font-size: 13px; text-transform: uppercase; letter-spacing: 0.06em; color: var(--soft);
  border: 0; margin: 0 0 8px; padding: 0; }
nav ul { list-style: none; margin: 0 0 14px; padding: 0; }
nav ul ul { margin: 2px 0 8px; padding-left: 12px; border-left: 2px solid var(--line); }
nav li { margin: 3px 0; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
.note { background: var(--note); border-left: 4px solid var(--note-line); padding: 10px 16px;
  border-radius: 4px; max-width: 90ch; margin: 0 0 8px; color: var(--ink); }
figure { margin: 22px 0 30px; }
figcaption { color: var(--soft); max-width: 84ch; font-size: 14px; }
.drawing { overflow-x: auto; min-height: 60px; }
.vega-embed { padding-right: 34px !important; color: var(--ink); }
.vega-bindings { margin: 2px 0 8px; font-size: 14px; }
.vega-bindings label { margin-right: 18px; }
.vega-bindings select { font: inherit; margin-left: 4px; }
.about { color: var(--soft); margin: 2px 0; max-width: 90ch; }
.scroll { overflow-x: auto; margin-top: 8px; }
table.figures { border-collapse: collapse; width: 100%; font-size: 13.5px;
  font-variant-numeric: tabular-nums; }
table.figures th, table.figures td { padding: 5px 10px; text-align: left;
  border-bottom: 1px solid var(--line); white-space: nowrap; }
table.figures th { background: var(--wash); font-weight: 600; }
table.figures td.number, table.figures th.number { text-align: right; }
details { margin: 6px 0; font-size: 14px; }
summary { cursor: pointer; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 8px 0; }
dt { font-family: ui-monospace, "Liberation Mono", monospace; font-size: 13px; }
dd { margin: 0; color: var(--soft); }
footer { grid-column: 1 / -1; color: var(--soft); font-size: 13px;
  border-top: 1px solid var(--line); padding-top: 14px; }
@media (max-width: 900px) {
  .page { grid-template-columns: minmax(0, 1fr); gap: 18px; padding: 0 16px 60px; }
  nav { position: static; max-height: none; }
}
@media print {
  nav, details:not([open]), .vega-embed details, .dt-search, .dt-length, .dt-paging,
  .vega-bindings { display: none !important; }
  .page { display: block; max-width: none; padding: 0; }
  figure, h2, h3 { break-inside: avoid; break-after: avoid; }
  table.figures { font-size: 10px; }
  .scroll, .drawing { overflow: visible; }
  .dark .drawing { background: #0f1318; print-color-adjust: exact; }
}
"""
