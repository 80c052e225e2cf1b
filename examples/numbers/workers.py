"""What each worker knows of itself: its id, its seeds, its threads."""

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Who(IterableDataset):
    """One item: the worker's id, two seeds modulo 1000, and its number of threads."""

    def __iter__(self):
        info = get_worker_info()
        yield [info.id, info.seed % 1000, torch.initial_seed() % 1000, torch.get_num_threads()]


if __name__ == "__main__":
    generator = torch.Generator().manual_seed(0)
    loader = DataLoader(Who(), batch_size=None, num_workers=3, generator=generator)
    for worker, seed, initial, threads in loader:
        print(f"worker {worker}: seed ...{seed}, torch.initial_seed() ...{initial}, threads {threads}")
