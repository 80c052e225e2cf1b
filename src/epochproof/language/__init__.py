"""The language as text: grammar, tree, formatter. Knows no stage, no quantity and no solver."""
