"""The page in a real browser, if there is one: figures are drawn, tables sort, nothing is complained about."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from liftq.evaluation.result import Results
from liftq.reports import make_document, write_report

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=390,800"]
# Sorts a table twice by its second column and says what it sees; runs in the page after the page's own script.
PROBE = """<script>
const table = [...document.querySelectorAll("table")].find(t => t.tHead.textContent.includes("V ms per state"));
const column = 3, button = table.tHead.rows[0].cells[column].querySelector("button");
const seen = () => [...table.tBodies[0].rows].map(row => row.cells[column].textContent).join(" ");
button.click(); const up = seen(); button.click();
const figures = [...document.querySelectorAll("svg")].map(svg => svg.getBoundingClientRect());
document.body.dataset.seen = JSON.stringify({
  up, down: seen(), figures: figures.filter(each => each.width > 300 && each.height > 200).length,
  overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth });
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_page_in_a_browser(results: Path, tmp_path: Path) -> None:
    document = make_document(Results.read([results]), "A title")
    rows = next(s for s in document.sections if s.title == "Efficiency").blocks[1].rows
    times = sorted(row[3] for row in rows)
    page = write_report(document, tmp_path)[0]
    page.write_text(page.read_text().replace("</body>", f"{PROBE}</body>"))
    command = [BROWSER, *OPTIONS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    (seen,) = re.findall(r'data-seen="(.*?)"', shown.stdout)
    up = " ".join(f"{time:.3f}" for time in times)
    down = " ".join(f"{time:.3f}" for time in reversed(times))
    assert seen.replace("&quot;", '"') == f'{{"up":"{up}","down":"{down}","figures":5,"overflow":0}}'
