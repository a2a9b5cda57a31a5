"""Graphs, and the relations of a domain."""
