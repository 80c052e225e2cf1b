"""A stream of eight items, copied to the workers or dealt to them."""

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Stream(IterableDataset):
    """Ignores which worker it is."""

    def __iter__(self):
        yield from range(8)


class Sharded(IterableDataset):
    """Strides by the id of its worker."""

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        yield from range(first, 8, step)


def read(dataset: IterableDataset, workers: int) -> list[int]:
    """The items of one epoch, in the order in which they arrive."""
    return [int(item) for batch in DataLoader(dataset, batch_size=2, num_workers=workers) for item in batch]


if __name__ == "__main__":
    for count in (0, 2):
        print(f"copied,  num_workers={count}: {read(Stream(), count)}")
    for count in (0, 2, 3):
        print(f"sharded, num_workers={count}: {sorted(read(Sharded(), count))}")
