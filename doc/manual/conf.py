"""Settings of Sphinx for the manual. tools/manual/make_site.py calls it, on pages that it has prepared."""

import os

project = "kport"
author = "the authors of kport"
copyright = "the authors of kport, Apache License 2.0"
version = release = os.environ["KPORT_VERSION"]

extensions = ["myst_parser", "breathe"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["conf.py"]
smartquotes = False  # "--option" has two signs
highlight_language = "none"

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

breathe_projects = {"kport": os.environ["KPORT_XML"]}
breathe_default_project = "kport"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False

html_theme = "alabaster"
html_title = f"kport {version}"
html_static_path = ["style"]
html_css_files = ["manual.css"]
html_copy_source = False
html_show_sphinx = False
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_theme_options = {
    "description": "collectives among n processors with k ports each",
    "fixed_sidebar": True,
    "page_width": "70rem",
    "sidebar_width": "16rem",
    "show_relbars": True,
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
}
