# Makes the manual page populate-fcgi.conf(5) from the document of the settings: from its paragraphs, headings and
# tables. The last column of a table is the default. Version and date are those of the newest entry in the changelog.
#
#   awk -f manual.awk CHANGELOG.md nginx/docs/settings.md
FNR == 1 { file++ }
file == 1 && /^## [0-9]/ && !version { version = $2; date = $3; gsub(/[()]/, "", date) }
file == 1 { next }

# Reduces [text](link) to its text, makes `code` bold, and escapes everything that roff would take for a request.
function roff(text,    link) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH)
        text = substr(text, 1, RSTART - 1) substr(link, 1, index(link, "]") - 1) substr(text, RSTART + RLENGTH)
    }
    while (sub(/`/, "\\fB", text) && sub(/`/, "\\fR", text));
    return text ~ /^[.']/ ? "\\&" text : text
}

# An empty line begins a paragraph, unless it follows a heading.
/^$/ { if (!heading) paragraph = ".PP\n"; next }
/^#/ { heading = 1; paragraph = "" }
/^# / {
    printf ".TH POPULATE-FCGI.CONF 5 %s \"populate-fcgi %s\"\n", date, version
    print ".SH NAME\npopulate-fcgi.conf \\- settings of populate-fcgi\n.SH DESCRIPTION"
    next
}
/^## / { print ".SS " roff(substr($0, 4)); next }
/^This page is for you if / { next }
{ heading = 0 }
/^\|/ {
    split($0, cell, / *\| */)
    if (cell[2] !~ /^`/) next
    print ".TP\n" roff(cell[2]) "\n" roff(cell[3])
    if (cell[4] != "") print "Default: " roff(cell[4]) "."
    next
}
{ printf "%s%s\n", paragraph, roff($0); paragraph = "" }
END { print ".SH SEE ALSO\n.BR populate-fcgi (1)" }
