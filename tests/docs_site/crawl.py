"""crawl.py SITE: every href and src in the pages of a site leads to a file of the site, and to an anchor that it has.

Prints PAGE and the link for each one that does not; the exit code is 1 if there is one. Addresses of other sites are not asked for.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """`anchors` are what a link can lead to, `links` where those of the page lead."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)


def fault_of(site, path, link, pages):
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.is_relative_to(site) or not target.is_file():
        return "there is no such file"
    anchor = urllib.parse.unquote(parts.fragment)
    if not anchor or target.suffix != ".html" or anchor == "top":
        return ""
    return "" if anchor in pages[target].anchors else "the page has no such anchor"


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    faults = count = 0
    for path, page in pages.items():
        for link in dict.fromkeys(page.links):
            count += 1
            if fault := fault_of(site, path, link, pages):
                print(f"{path.relative_to(site)}: {link}: {fault}")
                faults += 1
    if count < 1000:
        print(f"the site has {count} links, so this test looks at nothing")
        faults += 1
    print(f"{count} links of {len(pages)} pages")
    sys.exit(1 if faults else 0)


main()
