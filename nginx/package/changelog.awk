# The newest version of CHANGELOG.md as Debian writes it: what is new, and the date, which `## 0.2.0 (2026-11-24)`
# has. The versions before are in changelog.gz.
#
#   awk -v revision=1~deb12 -v suite=bookworm -v maintainer="… <…>" -f changelog.awk CHANGELOG.md
# Lines of at most 80 characters.
function print_item(    words, count, i, line) {
    gsub(/`/, "", item)
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 80) {
            print line
            line = "   "
        }
        line = line " " words[i]
    }
    if (count) print line
    item = ""
}
/^## / && date { exit }
/^## [0-9]/ {
    date = substr($3, 2, 10)
    print "populate-fcgi (" $2 "-" revision ") " suite "; urgency=medium\n"
    next
}
/^- / { print_item(); sub(/^- /, "") }
date { item = item " " $0 }
END {
    print_item()
    command = "LC_ALL=C date -u -R -d " date
    command | getline when
    print "\n -- " maintainer "  " when
}
