"""The drop-in for trec_eval 10: its options, its text, its exit codes.

What it prints comes out of the same views as everything else. Where trec_eval
has faults, they are not repeated; the manual tells which.
"""
