"""Judging claims: small worlds, obligations, counterexamples and blame."""
