"""HTML pages: one file with everything in it, which asks for nothing.

page fills the templates; page.css and page.js are how it looks and what it does.
"""
