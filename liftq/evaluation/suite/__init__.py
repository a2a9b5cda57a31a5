"""Solvers on the same problem files under the same limits."""
