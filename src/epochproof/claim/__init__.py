"""Claims: quantities and relations, one a file, each as a formula and as a fact about lists."""
