"""What was found out, as a person or a program reads it: one report in one format a file."""
