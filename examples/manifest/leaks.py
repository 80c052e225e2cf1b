"""Asks the manifest which videos, and which frames, occur in both parts of a split."""

from epochproof import load
from epochproof.manifest.leaks import overlaps, shared_keys
from epochproof.manifest.pin import Column
from epochproof.schedule.settle import settled

schedule = settled(load("clips.epoch"))
clips = schedule.manifests["clips.size"]
video = clips.column("groups")

for split in ("by_name", "by_video"):
    assignment, parts = Column("part", split, video.span), ("train", "val")
    videos, frames = shared_keys(clips, assignment, parts, video), overlaps(clips, assignment, parts)
    print(f"{split}: {videos.count} videos in both parts, {frames.count} clips of val overlap one of train")
    for pair in frames.pairs:
        one, other = (f"frames {start} to {end}" for start, end in pair.intervals)
        print(
            f"  {pair.shared}: {one} in row {pair.one + 1} of train, {other} in row {pair.other + 1} of val"
        )
