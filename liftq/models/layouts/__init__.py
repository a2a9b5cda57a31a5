"""Layouts of the weights of models."""
