"""The documentation: its commands are understood, its notebook is current, and its site has no dead links."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from liftq.__main__ import command_of

REPOSITORY = Path(__file__).parents[1]
PAGES = sorted((REPOSITORY / "docs").glob("*.md"))


def commands(page: Path) -> list[list[str]]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.replace("\\\n", "").splitlines()]
    return [line[1:] for line in lines if line and line[0] == "liftq"]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: str(page.stem))
def test_commands_are_understood(page: Path) -> None:
    for words in commands(page):
        command, words = command_of(words[0]), words[1:]
        while subcommands := getattr(command, "commands", None):
            command, words = subcommands[words[0]], words[1:]
        command.make_context("liftq", list(words))  # an error if it does not know an option, or lacks an argument


def test_the_tour_is_current() -> None:
    pytest.importorskip("torch")
    names: dict[str, object] = {}
    for cell in json.loads((REPOSITORY / "docs" / "tour.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec("".join(cell["source"]), names)
            assert printed.getvalue() == "".join(text for output in cell["outputs"] for text in output["text"])


class Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.targets |= {value or "" for name, value in attributes if name in ("href", "src")}
        self.anchors |= {value or "" for name, value in attributes if name in ("id", "name")}


def test_the_site_has_no_dead_links(tmp_path: Path) -> None:
    for name in ("material", "mkdocs_jupyter", "mkdocstrings_handlers"):
        pytest.importorskip(name)
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    built = subprocess.run(build, cwd=REPOSITORY, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    pages = {path: Links(path.read_text()) for path in tmp_path.rglob("*.html") if path.name != "report.html"}
    assert len(pages) > 15 and "policy.values" in (tmp_path / "faq.html").read_text()
    for path, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or path.name == "404.html":  # which is shown at any address
                continue
            found = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            found = found / "index.html" if found.is_dir() else found
            assert found.exists(), f"{path.name}: {target}"
            if parts.fragment and found in pages:
                assert unquote(parts.fragment) in pages[found].anchors, f"{path.name}: {target}"
