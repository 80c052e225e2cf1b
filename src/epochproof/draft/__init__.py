"""Drafts of specs from the configs of frameworks: a public module for each framework."""
