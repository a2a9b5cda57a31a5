"""Solvers as reports compare them: what they are called, their coverage by size, and the problems all have tried."""
