"""Running the real loader: the only room that imports torch."""
