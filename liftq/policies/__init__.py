"""Policies: solvers that act by learned values."""
