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
from liftq.reports.page.document import Figure

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=20000"]
DARK = "--blink-settings=preferredColorScheme=0"
# Sorts a table twice by one of its columns, unfolds everything, and says what it sees; runs after the page's script.
PROBE = """<script>
addEventListener("load", () => setTimeout(() => {
const table = [...document.querySelectorAll("table")].find(t => t.tHead.textContent.includes("V ms per state"));
const column = 3, button = table.tHead.rows[1].cells[column].querySelector("button");
const seen = () => [...table.tBodies[0].rows].map(row => row.cells[column].textContent).join(" ");
button.click(); const up = seen(); button.click();
const drawn = () => [...document.querySelectorAll(".chart svg")].map(each => each.getBoundingClientRect())
  .filter(each => each.width > 140 && each.height > 120).length;
const label = document.querySelector(".chart svg .role-axis-label text");
const cells = [...document.querySelector("table").tBodies[0].rows[0].cells];
const atFirst = drawn();
document.querySelectorAll("main details").forEach(each => { each.open = true; });
setTimeout(() => { document.body.dataset.seen = JSON.stringify({
  up, down: seen(), atFirst, unfolded: drawn(), labels: getComputedStyle(label).fill,
  hidden: cells.filter(cell => cell.getBoundingClientRect().right > innerWidth).length,
  fetched: performance.getEntriesByType("resource").length,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth });
}, 5000);
}, 5000));
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
@pytest.mark.parametrize(
    ("width", "options", "ink"), [(390, [], "rgb(26, 28, 32)"), (1400, [DARK], "rgb(230, 230, 230)")]
)
def test_page_in_a_browser(results: Path, tmp_path: Path, width: int, options: list[str], ink: str) -> None:
    document = make_document(Results.read([results]), "A title")
    (table,) = (each for each in document.tables() if each.title == "Time for a decision")
    times = sorted(row[3] for row in table.rows if isinstance(row[3], float))
    page = write_report(document, tmp_path / "report")[0]
    page.write_text(page.read_text().removesuffix("</body>\n</html>\n") + PROBE)
    assert BROWSER is not None
    own = [f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},1000", *options]
    command = [BROWSER, *OPTIONS, *own, "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    (seen,) = re.findall(r'data-seen="(.*?)"', shown.stdout)
    found = json.loads(seen.replace("&quot;", '"'))
    assert found.pop("up") == " ".join(f"{time:.3f}" for time in times)
    assert found.pop("down") == " ".join(f"{time:.3f}" for time in reversed(times))
    assert width < 1000 or found["hidden"] == 0  # on a wide screen, the first table is seen as a whole
    del found["hidden"]
    unfolded = [block for each in document.sections for block in each.blocks if isinstance(block, Figure)]
    figures = {"atFirst": len(unfolded), "unfolded": len(document.figures())}
    assert found == {**figures, "labels": ink, "fetched": 0, "overflow": 0}
