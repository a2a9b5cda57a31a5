"""The page in a real browser, if there is one, on a telephone: keys, buttons and touch lead through the plan."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liftq.reports.show.request import page_of

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--window-size=390,800"]
# Each line moves through the plan in another way; what is seen after it is noted.
PROBE = """<script>
const seen = {};
const note = name => { seen[name] = document.getElementById("place").textContent; };
const key = name => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
const swipe = (from, to) => {
  const target = document.getElementById("main");
  const touch = x => [new Touch({ identifier: 1, target, clientX: x, clientY: 100 })];
  target.dispatchEvent(new TouchEvent("touchstart", { touches: touch(from), bubbles: true }));
  target.dispatchEvent(new TouchEvent("touchend", { changedTouches: touch(to), bubbles: true }));
};
note("start");
key("ArrowRight"); key("ArrowRight"); note("keys");
document.getElementById("next").click(); note("button");
swipe(300, 100); note("swipe");
swipe(100, 120); note("tap");
key("ArrowLeft"); note("left");
document.querySelector("#plan li").click(); note("plan");
const bar = document.getElementById("slider");
bar.value = 2; bar.dispatchEvent(new Event("input")); note("slider");
seen.changed = document.querySelectorAll("#changes .new").length > 0;
seen.rows = document.querySelectorAll("#candidates tbody tr.taken").length;
seen.nodes = document.querySelectorAll("#drawing .node").length;
seen.touched = document.querySelectorAll("#drawing .node.touched").length > 0;
seen.address = location.hash;
seen.open = document.getElementById("open").textContent.startsWith("Open goals: (visited ");
const height = document.getElementById("choice").offsetHeight;
key("End"); note("end");
seen.jump = height - document.getElementById("choice").offsetHeight;
seen.none = document.getElementById("open").textContent;
seen.goal = document.getElementById("state").textContent;
seen.table = document.getElementById("candidates").checkVisibility();
seen.robot = document.querySelectorAll("#drawing text.moved").length;
seen.curve = document.querySelectorAll("#values .curve").length;
seen.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
seen.fetched = performance.getEntriesByType("resource").length;
document.body.dataset.seen = JSON.stringify(seen);
</script>"""


def seen_in(page: Path, profile: Path) -> dict[str, Any]:
    command = [str(BROWSER), *OPTIONS, f"--user-data-dir={profile}", "--dump-dom", page.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    (seen,) = re.findall(r'data-seen="(.*?)"', shown.stdout)
    found: dict[str, Any] = json.loads(seen.replace("&quot;", '"'))
    return found


DOMAIN = """(define (domain d) (:types place rover) (:predicates (near ?p ?q - place) (at ?r - rover ?p - place)
  (sampled ?r - rover ?p - place))
  (:action go :parameters (?r - rover ?p ?q - place) :precondition (and (at ?r ?p) (near ?p ?q))
    :effect (and (at ?r ?q) (not (at ?r ?p))))
  (:action sample :parameters (?r - rover ?p - place) :precondition (at ?r ?p) :effect (sampled ?r ?p)))"""
PROBLEM = """(define (problem p) (:domain d) (:objects a b - place r - rover) (:init (near a b) (at r a))
  (:goal (and (sampled r a) (at r b))))"""
WHERE = """<script>
go(2);
document.body.dataset.seen = JSON.stringify({ at: [...nodes.values()].map(each => each.text.textContent) });
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_things_are_where_they_are_now(tmp_path: Path) -> None:
    for name, text in (("domain", DOMAIN), ("problem", PROBLEM), ("plan", "(sample r a)\n(go r a b)\n")):
        (tmp_path / name).write_text(text)
    page = tmp_path / "page.html"
    made = page_of(tmp_path / "domain", tmp_path / "problem", tmp_path / "plan")
    page.write_text(made.removesuffix("</body>\n</html>\n") + WHERE)
    assert seen_in(page, tmp_path / "profile") == {"at": ["", "r"]}


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_page_in_a_browser(files: Callable[[str, int], tuple[Path, Path]], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_of(*files("visitall", 9)).removesuffix("</body>\n</html>\n") + PROBE)
    found = seen_in(page, tmp_path / "profile")
    steps = found["end"].split(" / ")[1]
    places = [found.pop(name) for name in ("start", "keys", "button", "swipe", "tap", "left", "plan", "slider", "end")]
    assert places == [f"{step} / {steps}" for step in (0, 2, 3, 4, 4, 3, 0, 2, steps)]
    assert found == {
        "changed": True, "rows": 1, "nodes": 9, "touched": True, "goal": "The goal is reached", "curve": 1,
        "table": False, "robot": 1, "overflow": 0, "fetched": 0, "address": "#2", "open": True, "none": "", "jump": 0,
    }  # fmt: skip


TOWERS = """<script>
go(1);
const values = [...document.querySelectorAll("#candidates td:nth-child(3)")].map(each => each.textContent);
document.body.dataset.seen = JSON.stringify({
  blocks: document.querySelectorAll("#drawing rect").length, touched: document.querySelectorAll("rect.touched").length,
  clipped: values.some(each => each.startsWith("> ")), meaning: document.getElementById("meaning").textContent,
  key: document.querySelector(".key").checkVisibility() });
</script>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_towers_and_values_that_only_rank(files: Callable[[str, int], tuple[Path, Path]], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(page_of(*files("blocksworld", 12)).removesuffix("</body>\n</html>\n") + TOWERS)
    found = seen_in(page, tmp_path / "profile")
    assert found.pop("touched") >= 1 and found.pop("blocks") >= 10
    assert found.pop("meaning").endswith("the others only rank actions.")
    assert found == {"clipped": True, "key": True}
