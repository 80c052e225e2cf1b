"""Config files that a spec is bound to: read as data, never run."""
