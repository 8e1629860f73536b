"""Frozen values and pure words: terms, instants, windows, statements. No input, no output."""
