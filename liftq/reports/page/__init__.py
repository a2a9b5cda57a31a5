"""Documents of text, tables and figures, and their rendering as HTML and Markdown."""

GENERATOR = '<meta name="generator" content="liftq">'
HEAD = 300  # characters


def is_page(text: str) -> bool:
    """Whether liftq wrote this page and may therefore replace it."""
    return GENERATOR in text[:HEAD]
