"""The page in a real browser: drawn, sortable, silent, and closed to the network."""

import json
import re
import shutil
import subprocess
import zipfile
from html import unescape
from pathlib import Path

import pytest

from tabia.tables import parquet
from tests.report.conftest import Made

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH"),
]

# Runs last in the page: sorts a table by its value, both ways, searches it, and reports.
PROBE = """
<script type="module">
const table = document.querySelector("#rows-evaluation_models");
const head = [...table.querySelectorAll("thead th")].find(th => th.innerText.trim() === "value");
const place = [...head.parentNode.children].indexOf(head);
const shown = () => [...table.tBodies[0].rows].map(row => Number(row.cells[place].dataset.order));
const click = async () => {
  head.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await new Promise(done => setTimeout(done, 200));
  return shown();
};
const result = { ready: document.documentElement.dataset.ready };
result.up = await click();
result.down = await click();
window.dispatchEvent(new Event("beforeprint"));
await new Promise(done => setTimeout(done, 200));
result.printed = shown().length;
const search = table.closest(".dt-container").querySelector("input[type=search]");
search.value = "engine_depth8";
search.dispatchEvent(new Event("input", { bubbles: true }));
await new Promise(done => setTimeout(done, 600));
result.found = [...table.tBodies[0].rows].map(row => row.innerText);
result.drawn = [...document.querySelectorAll("[data-spec]")].map(
  place => place.querySelector("svg.marks, canvas.marks") !== null);
result.choices = document.querySelectorAll(".vega-bindings select").length;
result.requests = performance.getEntriesByType("resource").map(entry => entry.name);
result.wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
const report = document.createElement("pre");
report.id = "probe";
report.textContent = JSON.stringify(result);
document.body.append(report);
</script>
"""


def browse(page: Path, profile: Path, *options: str) -> tuple[str, list[str]]:
    """Return the document after its scripts, and what the console and network complained of."""
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
            "--enable-logging=stderr",
            "--v=0",
            "--window-size=1360,1000",
            "--virtual-time-budget=4000",
            *options,
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    complaints = [
        line for line in done.stderr.splitlines() if re.search(r"CONSOLE|net::ERR|Refused", line)
    ]
    return done.stdout, complaints


def probe(document: str) -> dict[str, object]:
    found = re.search(r'<pre id="probe">(.*?)</pre>', document, re.S)
    assert found is not None, "the probe at the end of the page did not run"
    result: dict[str, object] = json.loads(unescape(found[1]))
    return result


@pytest.fixture(scope="module")
def seen(
    report: Made, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, object], list[str]]:
    folder = tmp_path_factory.mktemp("browser")
    page = folder / "probed.html"
    head, _, tail = report.html.read_text(encoding="utf-8").rpartition("</body>")
    page.write_text(f"{head}{PROBE}</body>{tail}", encoding="utf-8")
    document, complaints = browse(page, folder / "profile")
    return probe(document), complaints


Seen = tuple[dict[str, object], list[str]]


def test_the_console_is_silent(seen: Seen) -> None:
    assert seen[1] == []


def test_every_figure_is_drawn(seen: Seen, report: Made) -> None:
    assert seen[0]["ready"] == "yes"
    assert seen[0]["drawn"] == [True] * len(report.figures)


def test_the_scenario_can_be_chosen(seen: Seen) -> None:
    assert seen[0]["choices"] == 1


def test_tables_sort_by_number(seen: Seen) -> None:
    up, down = seen[0]["up"], seen[0]["down"]
    assert isinstance(up, list)
    assert isinstance(down, list)
    assert up == sorted(up)
    assert down == sorted(down, reverse=True)
    assert up[0] < down[0]


def test_tables_can_be_searched(seen: Seen) -> None:
    found = seen[0]["found"]
    assert isinstance(found, list)
    assert found
    assert all("engine_depth8" in row for row in found)


def test_all_rows_are_printed(seen: Seen, report: Made) -> None:
    table = parquet.read(report.folder / "tables/evaluation_models.parquet")
    assert seen[0]["printed"] == len(table)


def test_nothing_is_requested(seen: Seen) -> None:
    requests = seen[0]["requests"]
    assert isinstance(requests, list)
    assert [name for name in requests if not name.startswith(("data:", "blob:", "file:"))] == []


def test_the_page_does_not_scroll_sideways(seen: Seen) -> None:
    assert seen[0]["wide"] is False


def test_a_figures_own_page_draws_it(report: Made, tmp_path: Path) -> None:
    with zipfile.ZipFile(report.archive) as file:
        file.extract("tabia-report/figures/evaluation_models.html", tmp_path)
    page = tmp_path / "tabia-report/figures/evaluation_models.html"
    document, complaints = browse(page, tmp_path / "profile")
    assert complaints == []
    assert 'data-ready="yes"' in document
    assert re.search(r"<svg[^>]*class=\"marks\"", document)
