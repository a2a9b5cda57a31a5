"""Studies: several recipes in several domains, each cell trained, validated and evaluated in the same way."""
