#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Usage: scripts/site.sh DIRECTORY
# The documents as a site of HTML pages with a search, made by mkdocs: DIRECTORY/index.html. The pages are those of
# docs/, in the order and under the headings of docs/README.md; files outside of docs/ that they link to are
# copied. A link to nowhere is an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ $# == 1 ]] || { echo "site: expected one directory, see the head of scripts/site.sh" >&2; exit 2; }
command -v mkdocs >/dev/null || { echo "site: mkdocs is not installed, see scripts/packages.txt" >&2; exit 2; }
site=$(realpath -m "$1")
pages=$site.pages
rm -rf "$pages" "$site"
mkdir -p "$pages"
cp -r docs "$pages/docs"

# Links from a page of docs/ to a file outside of it, and back from the pages at the root of the project.
for page in README CONTRIBUTING CHANGELOG; do
    sed 's#](docs/#](#g' $page.md >"$pages/docs/project-${page,,}.md"
done
grep -oh '](\.\./[^)#]*\|](\(examples\|scripts\|platform\|hw\|tests\|firmware\|tb\|LICENSE\|\.\)[^):#]*' "$pages"/docs/*.md |
    sed 's#](\(\.\./\)\?##' | sort -u | while read -r file; do
    if [[ -f $file && $file != *.md ]]; then
        mkdir -p "$pages/docs/source/$(dirname "$file")"
        cp "$file" "$pages/docs/source/$file"
    elif [[ -d $file ]]; then # its list
        mkdir -p "$pages/docs/source/$file"
        ls "$file" >"$pages/docs/source/$file/files.txt"
        sed -i "s#]($file)#]($file/files.txt)#g" "$pages"/docs/*.md
    fi
done
sed -i 's/#--\([a-z]\)/#-\1/g' "$pages"/docs/*.md # mkdocs joins dashes in the anchors of headings
sed -E -i 's#\]\(\.\./(README|CONTRIBUTING|CHANGELOG)\.md#](project-\L\1.md#g; s#\]\(\.\./#](source/#g' "$pages"/docs/*.md
sed -E -i 's#\]\((README|CONTRIBUTING|CHANGELOG)\.md#](project-\L\1.md#g; s#\]\((examples|scripts|platform|hw|tests|firmware|tb|LICENSE)#](source/\1#g' \
    "$pages"/docs/project-*.md

{
    cat <<END
site_name: pes-vp
site_dir: $site
docs_dir: docs
theme:
  name: material
  font: false
  features: [navigation.sections, navigation.top]
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default}
    - {media: "(prefers-color-scheme: dark)", scheme: slate}
use_directory_urls: false
markdown_extensions: [tables, fenced_code, toc, md_in_html]
nav:
  - Documentation: README.md
  - Installation and a first run: project-readme.md
END
    awk '
        /^## / { heading = substr($0, 4) }
        /^\| \[[a-z0-9-]+\.md\]/ {
            match($0, /\[[^]]*\]/)
            page = substr($0, RSTART + 1, RLENGTH - 2)
            if (page in seen) next
            seen[page] = 1
            if (heading != "") print "  - " heading ":"
            heading = ""
            getline first <("docs/" page)
            sub(/^# /, "", first)
            gsub(/`/, "", first)
            print "    - \"" first "\": " page
        }' docs/README.md
    printf '  - Project:\n    - Contributing: project-contributing.md\n    - Changes: project-changelog.md\n'
} >"$pages/mkdocs.yml"
mkdocs build --quiet --strict --config-file "$pages/mkdocs.yml"
rm -rf "$pages"
