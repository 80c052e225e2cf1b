"""The order and the random numbers of eight shuffled samples, at three worker counts."""

import torch
from torch.utils.data import DataLoader, Dataset


class Noisy(Dataset):
    """A sample is its index and a random number from ambient state."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.tensor([float(index), torch.rand(()).item()])


def rows(workers: int, seed: int = 0) -> list[list[float]]:
    """What one epoch reads: an index and its random number, sample by sample."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    loader = DataLoader(Noisy(), batch_size=2, shuffle=True, num_workers=workers, generator=generator)
    return [[round(value, 4) for value in row] for batch in loader for row in batch.tolist()]


if __name__ == "__main__":
    for count in (0, 2, 3):
        read = rows(count)
        print(f"num_workers={count}")
        print("  order     ", [int(index) for index, _ in read])
        print("  torch.rand", [number for _, number in read])
