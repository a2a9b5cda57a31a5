"""Brings pages that lie outside of docs/ into the site, under links that work there as they do in the repository, and
fills in tables of options."""

from __future__ import annotations

import re
from os.path import normpath, relpath
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files

from liftq.training.recipes.reference import tables

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md", "results/paper/README.md")
PAGES += ("benchmarks/README.md",)
OTHERS = ("results/headline.svg",)
OPTIONS = "<!-- options -->"  # in whose place the site has tables
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for name in (*PAGES, *OTHERS):
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    here = page.file.src_uri
    in_repository = PurePosixPath(here if here in PAGES else f"docs/{here}")

    def moved(match: re.Match[str]) -> str:
        """Where the target lies in the site; files that are in the repository alone are named without a link."""
        text, target, anchor = match[1], normpath(in_repository.parent / match[2]), match[3] or ""
        found = files.get_file_from_path(target.removeprefix("docs/"))
        if found is None:
            return text if (ROOT / target).exists() else match[0]
        return f"[{text}]({relpath(found.src_uri, PurePosixPath(here).parent)}{anchor})"

    return LINK.sub(moved, markdown).replace(OPTIONS, tables() if OPTIONS in markdown else "")
