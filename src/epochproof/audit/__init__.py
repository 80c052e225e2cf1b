"""What a run really read: the trace, its writer and its reader; the only room that imports pyarrow."""
