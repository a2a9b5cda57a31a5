"""Brings pages that lie outside of docs/ into the site, under links that work there as they do in the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/README.md", "benchmarks/README.md")
OTHERS = ("results/headline.svg", "results/report/report.html")


def on_files(files: Files, config: Any) -> Files:
    for name in (*PAGES, *OTHERS):
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    if page.file.src_uri in PAGES:
        pages = re.sub(r"\]\((\.\./)?docs/", r"](\1", markdown)
        return pages.replace("](report/report.md)", "](report/report.html)")  # which shows the same
    return markdown.replace("](../", "](")
