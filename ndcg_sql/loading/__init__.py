"""Storing staged rows: loading, fusing, adjudicating, replacing, removing."""
