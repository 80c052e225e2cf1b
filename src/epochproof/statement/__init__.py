"""What a provider signs about a schedule, and how a buyer checks it: statements, keys, policies, roots."""
