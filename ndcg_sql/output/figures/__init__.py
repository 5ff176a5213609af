"""Figures: the rows of an analysis drawn by Vega-Lite as SVG, PNG or PDF."""
