"""The page in a real browser, if there is one: figures are drawn in light and dark, tables sort, nothing is fetched."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from liftq.evaluation.result import Results
from liftq.reports import make_document, write_report

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=20000"]
DARK = "--blink-settings=preferredColorScheme=0"
# Sorts a table twice by one of its columns and says what it sees; runs in the page after the page's own script.
PROBE = """<script>
addEventListener("load", () => setTimeout(() => {
const table = [...document.querySelectorAll("table")].find(t => t.tHead.textContent.includes("V ms per state"));
const column = 3, button = table.tHead.rows[1].cells[column].querySelector("button");
const seen = () => [...table.tBodies[0].rows].map(row => row.cells[column].textContent).join(" ");
button.click(); const up = seen(); button.click();
const figures = [...document.querySelectorAll(".chart svg")];
const large = figures.map(each => each.getBoundingClientRect()).filter(each => each.width > 300 && each.height > 200);
const label = figures[0].querySelector(".role-axis-label text");
const scores = document.querySelector("table").tBodies[0].rows[0].cells;
document.body.dataset.seen = JSON.stringify({
  up, down: seen(), figures: large.length, labels: getComputedStyle(label).fill,
  columns: [...scores].filter(cell => cell.getBoundingClientRect().right <= innerWidth).length,
  fetched: performance.getEntriesByType("resource").length,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth });
}, 5000));
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
@pytest.mark.parametrize(
    ("width", "options", "columns", "ink"),
    [(390, [], 5, "rgb(26, 28, 32)"), (1400, [DARK], 12, "rgb(230, 230, 230)")],
)
def test_page_in_a_browser(
    results: Path, tmp_path: Path, width: int, options: list[str], columns: int, ink: str
) -> None:
    document = make_document(Results.read([results]), "A title")
    rows = next(s for s in document.sections if s.title == "Efficiency").blocks[1].rows
    times = sorted(row[3] for row in rows)
    page = write_report(document, tmp_path)[0]
    page.write_text(page.read_text().removesuffix("</body>\n</html>\n") + PROBE)
    own = [f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1000", *options]
    command = [BROWSER, *OPTIONS, *own, "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    (seen,) = re.findall(r'data-seen="(.*?)"', shown.stdout)
    found = json.loads(seen.replace("&quot;", '"'))
    assert found.pop("up") == " ".join(f"{time:.3f}" for time in times)
    assert found.pop("down") == " ".join(f"{time:.3f}" for time in reversed(times))
    # On a telephone the first scores are in sight, on a wide screen the paper's and all others.
    assert found.pop("columns") >= columns
    assert found == {"figures": 9, "labels": ink, "fetched": 0, "overflow": 0}
