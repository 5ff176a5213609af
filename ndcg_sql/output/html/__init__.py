"""HTML pages: self-contained, one file with everything in it.

page fills the templates; page.css is how it looks, page.js and queries.js what it
does.
"""
