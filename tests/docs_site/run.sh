#!/usr/bin/env bash
# The site of ./dev docs is built without a warning, has a page for every document and for what programs use, and loads
# nothing from outside. Links are checked by tests/docs too, which needs no Sphinx.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
site=$scratch/site

fail() {
  echo "$1"
  exit 1
}

if ! /usr/bin/python3 -c 'import sphinx, myst_parser, furo' 2>/dev/null; then
  echo "Debian's python3-sphinx, python3-myst-parser or furo is not installed; ./dev docs installs them"
  exit 77
fi

# has FILE TEXT: a page of the site contains a text.
has() { grep -qF -- "$2" "$site/$1" || fail "$1 of the site does not contain '$2'"; }

# build PROGRAM
build() { /usr/bin/python3 "$1" "$site" >"$scratch/log" 2>&1; }

build docs/site/build.py || fail "the site is not built: $(cat "$scratch/log")"
[[ ! -s $scratch/log ]] || fail "building the site says: $(cat "$scratch/log")"

count=0
while read -r document; do
  [[ -f $site/${document%.md}.html ]] || fail "there is no page of $document"
  count=$((count + 1))
done < <(find docs -name '*.md')
has docs/cli/train.html '--early-stopping'
has docs/cli.html 'href="cli/train.html"'
has docs/crashes.html 'href="data.html"'
has examples/README.html 'id="cnn-tape-loop-cc"'

# The reference: a class with a method and without its private parts, a function with its comment, Python's classes and
# functions, and a link from a document to a header.
has reference/cpp/train.html 'train_on_batch'
has reference/cpp/base.html 'Reads &quot;4096&quot;, &quot;512MiB&quot;'
! grep -q 'private' "$site/reference/cpp/graph.html" || fail "the reference shows private parts of classes"
has reference/python/plimsoll.keras.layers.html 'Number of output channels.'
has reference/python/plimsoll.keras.models.html 'validation_split'
has reference/python/plimsoll.html 'set_memory_limit'
has docs/data/checking-data.html '../../reference/cpp/data/check.html#check-records-h'
has searchindex.js 'train_on_batch'

# What a browser would load by itself is in the site: no address, no path from the root of a server, no module.
outside=$(grep -rnoE '(<script[^>]* src|<img[^>]* src|<link[^>]* href)="(https?:)?/[^"]*"' "$site" --include='*.html' || true)
outside+=$(grep -rnoE '@import [^;]*|url\(["'\'']?(https?:)?/[^)]*\)' "$site" --include='*.css' || true)
outside+=$(grep -rnE '^import ' "$site/_static" --include='*.js' || true)
[[ -z $outside ]] || fail "the site loads from outside: $outside"

# Every link and anchor of every page leads somewhere, those that Sphinx has made too.
/usr/bin/python3 tests/docs_site/crawl.py "$site" || fail "the site has links that lead nowhere"
sed -i 's|href="cli/train.html"|href="cli/no-such-page.html"|; s|id="plan"|id="no-such-anchor"|' "$site/docs/cli.html"
! /usr/bin/python3 tests/docs_site/crawl.py "$site" >"$scratch/log" || fail "a link that leads nowhere is not found"
grep -qF 'cli/no-such-page.html' "$scratch/log" || fail "the link to a page that is not there is not found: $(cat "$scratch/log")"

# A document that no list of README.md names, and a link that leads nowhere, end the build before Sphinx begins.
mkdir "$scratch/copy"
tar -c --exclude=__pycache__ --exclude='*.so' ./*.md docs examples cmake plimsoll python/plimsoll bench tests | tar -x -C "$scratch/copy"
expect_refused() {
  ! build "$scratch/copy/docs/site/build.py" || fail "the site is built although $1"
  grep -qF -- "$1" "$scratch/log" || fail "expected '$1', found: $(cat "$scratch/log")"
}
printf '# Forgotten\n' >"$scratch/copy/docs/forgotten.md"
expect_refused 'docs/forgotten.md: no list under "Where to read on" in README.md links to it'
printf -- '- [docs/forgotten.md](docs/forgotten.md)\n' >>"$scratch/copy/README.md"
printf '[plan](cli.md#no-such-command)\n' >>"$scratch/copy/docs/forgotten.md"
expect_refused 'docs/forgotten.md: the link to cli.md#no-such-command leads nowhere'

echo "$count documents of docs/ are pages of a site that loads nothing from outside"
