"""Prints a manifest: the clips of twelve videos, and two ways to split them.

A clip is a window of 64 frames, and the next one starts 32 frames later.
`by_name` deals clips by a hash of their file's name, `by_video` whole videos.
"""

import csv
import hashlib
import sys

FRAMES = {
    "ant": 224,
    "bee": 63,
    "cat": 128,
    "dog": 192,
    "eel": 96,
    "fox": 160,
    "gnu": 64,
    "hen": 129,
    "ibis": 256,
}
FRAMES |= {"jay": 95, "koi": 130, "lynx": 192}


def part(name: str) -> str:
    """One name in four goes to the validation set."""
    return "val" if hashlib.sha256(name.encode()).digest()[0] % 4 == 0 else "train"


rows = csv.writer(sys.stdout, lineterminator="\n")
rows.writerow(["clip_id", "video", "start", "end", "weight", "by_name", "by_video"])
for video, frames in FRAMES.items():
    starts = range(0, frames - 63, 32)
    for start in starts:
        name = f"{video}_{start:04}.mp4"
        weight = round(1 / len(starts), 6)
        rows.writerow([name, video, start, start + 64, weight, part(name), part(video)])
