"""The drop-in for trec_eval: its options, its text, its exit codes.

Imports all packages above but analysis and output. What it prints comes out of
the same views as everything else. Where trec_eval has faults, they are not
repeated; the manual tells which.
"""
