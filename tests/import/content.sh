# Sourced, with $program, and with $strapi where it is not 4: a database `content` with empty tables of the example for
# each case, and a folder to import. Needs `tests/with database`.
. "$(dirname "${BASH_SOURCE[0]}")/../verify.sh"
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/projects/ks${strapi:-}
url="mysql://$(id -un)@localhost/content?socket=$POPULATE_TEST_SOCKET"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() { "$program" "$@" --schema "$project" --database "$url" ${strapi:+--strapi "$strapi"}; }

get() { run get "$@" 2>/dev/null; }

import() { run import "$folder" 2>&1; }

# An empty folder, and tables with no more than their first rows.
start() {
    rm -rf "$folder" && mkdir "$folder"
    { echo 'SET foreign_key_checks = 0;'
      sql -e "SELECT CONCAT('DELETE FROM ', TABLE_NAME, ';') FROM information_schema.TABLES
              WHERE TABLE_SCHEMA = 'content'"; } | sql content
    run create-tables >/dev/null
}

# file NAME: from standard input
file() { cat >"$folder/$1"; }

# Of all tables.
state() { sql content -e "CHECKSUM TABLE $(sql content -e 'SHOW TABLES' | paste -sd,)"; }

within() { # SECONDS COMMAND…
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.02
    done
}

# Statements that the database `content` is asked just now. (INNODB_TRX says nothing new to who asks it more often than
# ten times a second.)
asked() { sql -e "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = 'content' AND INFO LIKE '$1%'"; }
is_asked() { [ -n "$(asked "$1")" ]; }

# hold STATEMENT: somebody has what it locks until `let_go`, so that who needs that comes no further.
hold() {
    sql content -e "BEGIN; $1; DO SLEEP(300)" >/dev/null 2>&1 &
    within 60 is_asked 'DO SLEEP' || echo "nobody has done: $1"
}
let_go() { sql -e "KILL $(asked 'DO SLEEP')"; }

# equal EXPECTED COMMAND…: the output of the command
equal() {
    local expected=$1
    shift
    diff <(printf '%s\n' "$expected") <("$@" 2>&1)
}

status() {
    "$@" >/dev/null 2>&1
    echo $?
}

# A bit of everything: both sides of relations, components, zones, media, drafts, locales.
example() {
    file api::author.author.ndjson <<'END'
{"id": 3, "name": "Ann", "email": "ann@example.org", "birthDate": "1980-02-29", "articles": [12, 11]}
END
    file api::tag.tag.ndjson <<'END'
{"id": 5, "name": "five"}

{"id": 6, "name": "six", "slug": "six"}
END
    file files.ndjson <<'END'
{"id": 8, "name": "a.png", "url": "/uploads/a.png", "mime": "image/png", "size": 12.34, "formats": {"small": {"width": 0.1}}}
{"id": 9, "name": "b.png", "url": "/uploads/b.png", "mime": "image/png"}
END
    file api::article.article.ndjson <<'END'
{"id": 11, "title": "Eleven ✓ 'x'", "slug": "eleven", "tags": [6, 5], "cover": 9, "gallery": [9, 8, 9], "rating2": 20.900000000000002, "publishDate": "2024-05-17", "createdAt": "2024-05-17T10:00:00.123+02:00", "publishedAt": "2024-05-18T00:00:00Z", "seo": {"metaTitle": "s", "metaImage": 8}, "sections": [{"heading": "one", "columns": [{"width": 1}, {"width": 2}]}, {"heading": "two"}], "metaJson": {"b": [1, 0.5], "a": "\u00e9"}, "localizations": [12]}
{"id": 12, "title": "Douze", "locale": "fr", "publishedAt": null, "localizations": [11]}
END
    file api::page.page.ndjson <<'END'
{"id": 1, "title": "Page", "zone": [{"__component": "blocks.quote", "text": "q", "author": 3}, {"__component": "blocks.rich-text", "body": "r"}, {"__component": "blocks.quote", "text": "p"}]}
END
    file api::comment.comment.ndjson <<'END'
{"id": 2, "content": "c", "related": [{"__type": "api::article.article", "id": 11}]}
END
    file api::reaction.reaction.ndjson <<'END'
{"id": 4, "kind": "like", "subject": {"__type": "api::article.article", "id": 11}}
END
    file locales.json <<'END'
{"default": "en", "list": [{"code": "en", "name": "English"}, {"code": "fr", "name": "French"}]}
END
    file access.json <<'END'
{"public": ["api::article.article", "api::author.author", "api::tag.tag.find", "api::page.page",
            "api::comment.comment", "api::reaction.reaction"]}
END
}

new_tables() {
    sql -e "DROP DATABASE IF EXISTS content;
            CREATE DATABASE content CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;"
    run create-tables >/dev/null
}
new_tables || exit 1

# verify_cases: the functions of the script with an underscore in their names are its cases.
verify_cases() {
    local case
    for case in $(sed -n 's/^\([a-z]*_[a-z_]*\)() {$/\1/p' "$0"); do
        start
        verify "$case"
    done
    verified
}
