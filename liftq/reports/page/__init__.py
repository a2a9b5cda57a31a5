"""Documents of text, tables and figures, and how they become HTML and Markdown."""
