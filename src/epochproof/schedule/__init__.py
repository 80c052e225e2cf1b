"""Stages composed: loaders, the plan of a loader, and the lists that it delivers."""
