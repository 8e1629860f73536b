"""
Temporal columns: every statement and belief row of the record as numpy arrays, for what reads much.

Derived from the store and never its judge: made anew from it at any time, brought up to a
transaction by a cursor, kept beside it in files whose digests are checked.
"""
