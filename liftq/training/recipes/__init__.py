"""Recipes: every choice behind a training run, as TOML. Ready recipes are in this folder."""
