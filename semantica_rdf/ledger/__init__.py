"""
The write path: draft → intake → gate → plan → settle → commit.

Nothing is written before `commit`; `plan` and `settle` are pure functions over values.
"""
