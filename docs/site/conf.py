"""Settings of Sphinx for the site; build.py gives it the pages. The theme loads nothing from outside."""
project = "Plimsoll"
html_title = "Plimsoll"
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
myst_heading_anchors = 6
smartquotes = False  # --memory is an option, not a dash
highlight_language = "none"
html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True, "footer_icons": []}
