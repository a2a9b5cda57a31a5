"""Documents of text, tables and figures, and their rendering as HTML and Markdown."""

GENERATOR = '<meta name="generator" content="liftq">'
EARLIER_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
"""  # of pages that do not name their generator
HEAD = 300  # characters


def is_page(text: str) -> bool:
    """Whether liftq wrote this page and may therefore replace it."""
    return GENERATOR in text[:HEAD] or text.startswith(EARLIER_HEAD)
