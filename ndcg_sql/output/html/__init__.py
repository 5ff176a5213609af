"""HTML pages: one file with everything in it, which asks for nothing.

page fills the templates; page.css is how it looks, page.js and queries.js what it
does.
"""
