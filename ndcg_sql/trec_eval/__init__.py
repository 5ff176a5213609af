"""The drop-in replacement for trec_eval: its options, its output, its exit codes.

Imports all packages above but comparison, reports and output. Its values come from
the same views as all others. Faults of trec_eval are not repeated; docs/trec_eval.md
lists them.
"""
