"""A recipe: every choice behind a training, as a TOML file; ready ones beside."""
