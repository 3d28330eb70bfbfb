"""What is kept: the tables, the database under them, the one writer, and the reading of games."""
