"""Pasianssi: Simple Simon and Scorpion in a browser."""
