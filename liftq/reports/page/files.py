"""The files of a report: the page, the same as Markdown, and its figures and tables in formats for papers."""

from __future__ import annotations

from liftq.reports.page.document import Document
from liftq.reports.page.figures import FIGURES, pdf, svg
from liftq.reports.page.html import write_html
from liftq.reports.page.markdown import write_markdown
from liftq.reports.page.tables import TABLES, comma_separated, latex


def files_of(document: Document) -> dict[str, str | bytes]:
    """Contents by path."""
    files: dict[str, str | bytes] = {"report.html": write_html(document), "report.md": write_markdown(document)}
    for figure in document.figures():
        drawn = svg(figure)
        files |= {f"{FIGURES}/{figure.name}.svg": drawn, f"{FIGURES}/{figure.name}.pdf": pdf(drawn)}
    for table in document.tables():
        files |= {f"{TABLES}/{table.name}.csv": comma_separated(table), f"{TABLES}/{table.name}.tex": latex(table)}
    return files
