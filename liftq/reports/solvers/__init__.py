"""Solvers in reports: their names, their coverage by size, and the problems that all have tried."""
