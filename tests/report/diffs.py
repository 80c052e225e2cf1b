"""A spec, and a change of each kind."""

from __future__ import annotations

OLD = """edition 1
dataset d { size in 1.. }
loader l over d {
  ranks = 2
  shard(ranks, tail = drop)
  batch(1)
}
"""
CHANGES = {
    "identical": OLD.replace("batch(1)", "batch(1)\n  fetch(4)"),
    "order-only": OLD.replace("  shard", "  shuffle(seed = 3)\n  shard").replace("in 1..", "= 4"),
    "population-changing": OLD.replace("tail = drop", "tail = pad").replace("in 1..", "in 3.."),
    "resume-incompatible": OLD.replace("batch(1)", "batch(1)\n  resume(position = epoch_start)"),
    "unknown": OLD.replace("in 1..", "= 0"),
}
