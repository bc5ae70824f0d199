"""The pages stage: one offline page with everything, and an archive to pass on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import pyarrow.parquet as pq

from tabia.report import browser, catalog
from tabia.report.archive import write_zip
from tabia.report.html import Table, describe_columns, table_html, wide_html
from tabia.report.wide_tables.layout import WideTable, from_json
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["run"]

_FOLDER = "tabia-report"


@dataclass(frozen=True)
class _Figure:
    """A drawn figure: its name, its Vega-Lite JSON, and the files it lies in."""

    name: str
    spec: str
    path: Path

    @property
    def title(self) -> str:
        """Title of the figure as drawn."""
        return _json_title(self.spec)

    @property
    def caption(self) -> str:
        """How to read the figure."""
        known = catalog.FIGURES.get(self.name)
        return known.caption if known else ""


@dataclass(frozen=True)
class _Wide:
    """Wide tables of one name, and what is said about them."""

    name: str
    title: str
    about: str
    tables: Sequence[WideTable]


def run(
    spec: Spec,
    *,
    tables: Sequence[Path],
    figures: Sequence[Path],
    wide: Sequence[Path] = (),
    html: Path,
    archive: Path,
) -> None:
    """Write the page and the archive.

    Parameters
    ----------
    tables
        Result tables (.parquet); their .csv and .md lie beside them.
    figures
        Vega-Lite JSON of the figures; their .svg lie beside them.
    wide
        Layouts of wide tables (.json); their .md lie beside them.
    html
        Output: one page that needs no network and no other file.
    archive
        Output: zip of the page, every table as CSV, Markdown and Parquet, and every figure as
        SVG, JSON and a page of its own. Equal inputs give equal bytes.
    """
    shown_tables = [_table(path) for path in tables]
    shown_figures = [_Figure(path.stem, path.read_text(encoding="utf-8"), path) for path in figures]
    shown_wide = [_wide(path) for path in wide]
    title = str(spec.config["title"])
    page = _page(title, shown_tables, shown_figures, shown_wide)
    parquet.write_text(html, page)

    members: dict[str, bytes] = {"report.html": page.encode()}
    for path in tables:
        for suffix in (".csv", ".md", ".parquet"):
            members[f"tables/{path.stem}{suffix}"] = path.with_suffix(suffix).read_bytes()
    for path in wide:
        members[f"tables/wide/{path.stem}.md"] = path.with_suffix(".md").read_bytes()
    for figure in shown_figures:
        members[f"figures/{figure.name}.json"] = figure.spec.encode()
        members[f"figures/{figure.name}.svg"] = figure.path.with_suffix(".svg").read_bytes()
        members[f"figures/{figure.name}.html"] = _figure_page(figure).encode()
    members["index.html"] = _index(title, shown_tables, shown_figures, shown_wide).encode()
    write_zip(archive, _FOLDER, members)


def _table(path: Path) -> Table:
    data = parquet.read(path)
    metadata: Mapping[bytes, bytes] = pq.read_schema(path).metadata or {}
    title = metadata.get(b"tabia.title", path.stem.encode()).decode()
    return Table(path.stem, title, catalog.TABLES.get(path.stem, ""), data)


def _wide(path: Path) -> _Wide:
    known = catalog.WIDE.get(path.stem)
    tables = from_json(path.read_text(encoding="utf-8"))
    title, about = (known.title, known.about) if known else (path.stem, "")
    return _Wide(path.stem, title, about, tables)


# --- the page ----------------------------------------------------------------------------


def _page(
    title: str, tables: Sequence[Table], figures: Sequence[_Figure], wide: Sequence[_Wide]
) -> str:
    names = [table.name for table in tables] + [figure.name for figure in figures]
    names += [item.name for item in wide]
    chapters = [*catalog.CHAPTERS, *sorted({catalog.chapter_of(name) for name in names})]
    sections, contents = [], []
    for chapter in dict.fromkeys(chapters):
        own_figures = [item for item in figures if catalog.chapter_of(item.name) == chapter]
        own_tables = [item for item in tables if catalog.chapter_of(item.name) == chapter]
        own_wide = [item for item in wide if catalog.chapter_of(item.name) == chapter]
        if own_figures or own_tables or own_wide:
            heading = catalog.CHAPTERS.get(chapter, chapter.capitalize())
            sections.append(_section(chapter, heading, own_figures, own_tables, own_wide))
            contents.append(_contents(chapter, heading, own_figures, own_tables, own_wide))
    body = f"""<div class="page">
<header>
<h1>{escape(title)}</h1>
<p>Figures react to the pointer; tables sort by their heads and can be searched. Every figure
comes with its interval and the number of games behind it.</p>
{_players(tables)}</header>
<nav aria-label="Contents"><h2>Contents</h2><ul>{"".join(contents)}</ul></nav>
<main>
{"".join(sections) or "<p>Nothing was made yet.</p>"}
</main>
<footer>Made by tabia, free software under the GNU General Public License, version 3 or later.
The same figures and tables as files: report.zip; for SQL: tabia.duckdb.</footer>
</div>
<script type="module">{browser.figure_script()}</script>
<script type="module">{browser.tables_script()}</script>
<script type="module">{browser.page_script()}</script>"""
    return _document(title, f"<style>{browser.tables_style()}</style>", body)


def _document(title: str, head: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{browser.POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
{head}<style>{browser.style()}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _players(tables: Sequence[Table]) -> str:
    players = {
        player
        for table in tables
        if "played_by" in table.data.column_names
        for player in table.data["played_by"].unique().to_pylist()
    }
    if not players or players == {"people"}:
        return ""
    if players == {"engines"}:
        text = (
            "<strong>Engine play.</strong> Every game here was played by engines, none by"
            " people. What the figures say about Elo and about errors holds for these engines."
        )
    else:
        text = (
            "<strong>Partly engine play.</strong> Some of these games were played by engines;"
            " the column <em>played by</em> says which figures rest on them."
        )
    return f'<p class="note" role="note">{text}</p>\n'


def _contents(
    chapter: str,
    heading: str,
    figures: Sequence[_Figure],
    tables: Sequence[Table],
    wide: Sequence[_Wide],
) -> str:
    items = [f'<li><a href="#figure-{f.name}">{escape(f.title)}</a></li>' for f in figures]
    items += [f'<li><a href="#wide-{w.name}">{escape(w.title)}</a></li>' for w in wide]
    items += [f'<li><a href="#table-{t.name}">Table: {escape(t.title)}</a></li>' for t in tables]
    return f'<li><a href="#{chapter}">{escape(heading)}</a><ul>{"".join(items)}</ul></li>'


def _section(
    chapter: str,
    heading: str,
    figures: Sequence[_Figure],
    tables: Sequence[Table],
    wide: Sequence[_Wide],
) -> str:
    parts = [f'<section id="{chapter}" aria-labelledby="{chapter}-heading">']
    parts.append(f'<h2 id="{chapter}-heading">{escape(heading)}</h2>')
    parts += [_figure_html(figure) for figure in figures]
    parts += [_wide_section(item) for item in wide]
    for table in tables:
        parts.append(f'<h3 id="table-{table.name}">{escape(table.title)}</h3>')
        parts.append(f'<p class="about">{escape(table.about)} {_downloads(table.name)}</p>')
        parts.append(describe_columns(table))
        parts.append(table_html(table))
    parts.append("</section>")
    return "\n".join(parts) + "\n"


def _wide_section(wide: _Wide) -> str:
    file = f"tables/wide/{wide.name}.md"
    parts = [f'<h3 id="wide-{wide.name}">{escape(wide.title)}</h3>']
    parts.append(f'<p class="about">{escape(wide.about)} File: <a href="{file}">{file}</a>.</p>')
    for number, table in enumerate(wide.tables):
        parts.append(f"<h4>{escape(table.title)}</h4>")
        parts.append(wide_html(table, f"{wide.name}-{number}"))
    return "\n".join(parts)


def _downloads(name: str) -> str:
    links = ", ".join(
        f'<a href="tables/{name}{suffix}">tables/{name}{suffix}</a>'
        for suffix in (".csv", ".md", ".parquet")
    )
    return f"Files: {links}."


def _figure_html(figure: _Figure) -> str:
    label = escape(f"{figure.title}. {figure.caption}")
    return f"""<figure id="figure-{figure.name}">
<div class="drawing" data-spec="spec-{figure.name}" role="group" aria-label="{label}"
 aria-busy="true"><noscript>This figure needs JavaScript; without it see
 figures/{figure.name}.svg.</noscript></div>
<figcaption>{escape(figure.caption)}</figcaption>
<script type="application/json" id="spec-{figure.name}">{_inline(figure.spec)}</script>
</figure>"""


def _figure_page(figure: _Figure) -> str:
    body = f"""<div style="padding: 24px">
{_figure_html(figure)}
</div>
<script type="module">{browser.figure_script()}</script>
<script type="module">{browser.page_script()}</script>"""
    return _document(figure.title, "", body)


def _index(
    title: str, tables: Sequence[Table], figures: Sequence[_Figure], wide: Sequence[_Wide]
) -> str:
    def link(path: str) -> str:
        return f'<a href="{path}">{path.rsplit(".", 1)[1]}</a>'

    rows = [
        f"<li>{escape(figure.title)}: "
        + ", ".join(link(f"figures/{figure.name}.{end}") for end in ("html", "svg", "json"))
        + "</li>"
        for figure in figures
    ]
    lines = [
        f"<li>{escape(item.title)}: {link(f'tables/wide/{item.name}.md')}</li>" for item in wide
    ]
    lines += [
        f"<li>{escape(table.title)}: "
        + ", ".join(link(f"tables/{table.name}.{end}") for end in ("csv", "md", "parquet"))
        + "</li>"
        for table in tables
    ]
    body = f"""<main style="padding: 24px; max-width: 80ch">
<h1>{escape(title)}</h1>
<p><a href="report.html">report.html</a> shows everything on one page.</p>
<h2>Figures</h2>
<ul>{"".join(rows)}</ul>
<h2>Tables</h2>
<ul>{"".join(lines)}</ul>
</main>"""
    return _document(title, "", body)


def _inline(spec: str) -> str:
    """Make JSON safe inside a script element."""
    return spec.strip().replace("<", "\\u003c")


def _json_title(spec: str) -> str:
    title = json.loads(spec).get("title", "")
    return str(title["text"] if isinstance(title, dict) else title)
