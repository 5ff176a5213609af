"""HTML pages: self-contained, one file with everything in it.

page fills the templates, which have the words (verdict, tiles, notes) and the parts;
page.css is how it looks, page.js, queries.js and rankings.js what it does.
"""
