import re
import zipfile
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from tabia.report import catalog
from tabia.tables import parquet
from tests.report import made
from tests.report.conftest import Made, write_pages

LOADING = {"src", "srcset", "data", "poster", "background", "action", "formaction"}


class Links(HTMLParser):
    """What a page would load, what it links to, its headings and ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.unnamed: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = {name: value or "" for name, value in attrs}
        self.loads += [value for name, value in found.items() if name in LOADING]
        if tag == "link":
            self.loads.append(found.get("href", ""))
        if tag == "a":
            self.links.append(found.get("href", ""))
        if "id" in found:
            self.ids.append(found["id"])
        if found.get("role") == "group" and not found.get("aria-label"):
            self.unnamed.append(tag)


def page_of(report: Made) -> str:
    return report.html.read_text(encoding="utf-8")


def members(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_the_page_loads_nothing(report: Made) -> None:
    page = Links(page_of(report))
    assert [source for source in page.loads if not source.startswith("data:")] == []
    assert not any(link.startswith("http") for link in page.links)


def test_the_pages_style_loads_nothing(report: Made) -> None:
    styles = re.findall(r"<style>(.*?)</style>", page_of(report), re.S)
    assert len(styles) == 2
    for style in styles:
        assert "@import" not in style
        assert all(url.startswith("data:") for url in re.findall(r"url\(['\"]?([^)]{5})", style))


def test_the_page_forbids_loading_from_outside(report: Made) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page_of(report))
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "http" not in policy[1]


def test_every_link_leads_somewhere(report: Made) -> None:
    page = Links(page_of(report))
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids
        else:
            assert (report.folder / link).is_file()
    assert len(page.ids) == len(set(page.ids))


def test_every_table_and_figure_is_on_the_page(report: Made) -> None:
    ids = Links(page_of(report)).ids
    assert {f"table-{name}" for name in catalog.TABLES} <= set(ids)
    assert {f"figure-{name}" for name in catalog.FIGURES} <= set(ids)
    assert {f"wide-{name}" for name in catalog.WIDE} <= set(ids)


def test_the_page_can_be_heard(report: Made) -> None:
    page = Links(page_of(report))
    assert page.unnamed == []
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_title_is_text_and_not_markup(report: Made) -> None:
    assert "<h1>A &lt;made-up&gt; run</h1>" in page_of(report)


def test_the_page_stays_small(report: Made) -> None:
    assert report.html.stat().st_size < 5_000_000


def test_a_table_without_rows_is_named(report: Made) -> None:
    after = page_of(report).split('id="table-records_leakage"')[1]
    assert "This table has no rows." in after.split("</section>")[0]


def test_engine_play_is_announced(report: Made) -> None:
    assert "<strong>Engine play.</strong>" in page_of(report)


@pytest.mark.parametrize(("played_by", "said"), [("people", False), ("engines and people", True)])
def test_only_engine_play_is_announced(tmp_path: Path, played_by: str, said: bool) -> None:
    folder = made.make(tmp_path, positions=40, played_by=played_by)
    html, _ = write_pages(folder, tables=made.tables(folder), figures=[])
    text = html.read_text()
    assert ("Partly engine play" in text) is said
    assert "<strong>Engine play.</strong>" not in text


def test_a_run_without_a_chapter_has_no_section_of_it(report: Made, tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    tables = [path for path in made.tables(folder) if path.stem.startswith("records")]
    html, archive = write_pages(folder, tables=tables, figures=report.figures[:1])
    assert '<section id="records"' in html.read_text()
    assert '<section id="evaluation"' not in html.read_text()
    assert not any("evaluation" in name for name in members(archive))


def test_a_run_that_made_nothing_has_a_page(tmp_path: Path) -> None:
    html, archive = write_pages(tmp_path, tables=[], figures=[])
    assert "Nothing was made yet." in html.read_text()
    assert set(members(archive)) == {"tabia-report/index.html", "tabia-report/report.html"}


def test_rows_are_numbers_that_sort_by_their_full_value(report: Made) -> None:
    row = parquet.read(report.folder / "tables/evaluation_models.parquet").to_pylist()[0]
    assert f'data-order="{row["value"]}"' in page_of(report)


def test_a_very_long_table_is_cut_and_says_so(tmp_path: Path) -> None:
    folder = made.make(tmp_path, positions=40)
    path = folder / "tables/evaluation_models.parquet"
    table = parquet.read(path)
    parquet.write(table.take([0] * 6000), path)
    html, _ = write_pages(folder, tables=[path], figures=[])
    assert "The first 5,000 of 6,000 rows" in html.read_text()


def test_the_archive_holds_the_page_and_every_format(report: Made) -> None:
    found = members(report.archive)
    assert found["tabia-report/report.html"] == report.html.read_bytes()
    for name in catalog.TABLES:
        for suffix in ("csv", "md", "parquet"):
            path = report.folder / f"tables/{name}.{suffix}"
            assert found[f"tabia-report/tables/{name}.{suffix}"] == path.read_bytes()
    for layout in report.wide:
        text = layout.with_suffix(".md")
        assert found[f"tabia-report/tables/wide/{text.name}"] == text.read_bytes()
    for name in catalog.FIGURES:
        assert found[f"tabia-report/figures/{name}.svg"].startswith(b"<svg")
        alone = Links(found[f"tabia-report/figures/{name}.html"].decode())
        assert [source for source in alone.loads if not source.startswith("data:")] == []
        assert f"figure-{name}" in alone.ids


def test_the_archives_index_lists_every_file(report: Made) -> None:
    found = members(report.archive)
    links = set(Links(found["tabia-report/index.html"].decode()).links)
    files = {name.removeprefix("tabia-report/") for name in found}
    assert links == files - {"index.html"}


def test_the_archive_has_no_dates_and_is_in_order(report: Made) -> None:
    with zipfile.ZipFile(report.archive) as file:
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert file.namelist() == sorted(file.namelist())
        assert file.testzip() is None


def test_writing_the_pages_again_gives_the_same_bytes(report: Made, tmp_path: Path) -> None:
    before = (report.html.read_bytes(), report.archive.read_bytes())
    html, archive = write_pages(
        report.folder, tables=report.tables, figures=report.figures, wide=report.wide
    )
    assert (html.read_bytes(), archive.read_bytes()) == before
