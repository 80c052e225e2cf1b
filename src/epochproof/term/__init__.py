"""The term language: integers and conditions over free parameters, and how they are read."""
