"""Settings as declared and as they take effect: `pin_memory` where there is nothing to pin for."""

import warnings

import torch
from torch.utils.data import DataLoader, TensorDataset

if __name__ == "__main__":
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        loader = DataLoader(TensorDataset(torch.zeros(8, 4)), batch_size=4, pin_memory=True)
        batches = iter(loader)
        (batch,) = next(batches)
    print("declared: ", loader.pin_memory)
    print("effective:", batches._pin_memory, "and the batch is pinned:", batch.is_pinned())
    print("warned:   ", *(each.message for each in said if "pin_memory" in str(each.message)))
