"""What a spec is about: populations, free parameters and their domains, values."""
