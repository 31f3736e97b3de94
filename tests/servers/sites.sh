# shellcheck shell=bash disable=SC2154 # run assigns
# Part of run, in `tests/with database`.
#
# A site with a CMS that is reached over TLS, as its owner made it, and populate-fcgi included in it. The CMS is
# a stub that says what it was asked.

sql() { mariadb --no-defaults --skip-ssl --socket="$POPULATE_TEST_SOCKET" --user="$(id -un)" ks -e "$1"; }

# start_program [STATEMENT-TIMEOUT]
start_program() {
    POPULATE_SCHEMA=$tests/../build/projects/ks POPULATE_DATABASE=$POPULATE_TEST_DATABASE POPULATE_LISTEN=unix:$socket \
        POPULATE_ACQUIRE_TIMEOUT=1m POPULATE_REQUEST_TIMEOUT=1m POPULATE_STATEMENT_TIMEOUT=${1-1m} \
        "$program" >>"$dir/populate-fcgi.log" 2>&1 &
    server=$!
    children+=("$server")
    wait_until 60 has_its_rights
}
has_its_rights() { [ "$(stat -c %a "$socket" 2>/dev/null)" = 660 ]; }
end_program() {
    kill "$server"
    wait_until 60 is_gone "$server" || fail "the program does not end"
}

certificate() {
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout "$dir/site.key" -out "$dir/site.pem" 2>"$dir/openssl" || fail "$(cat "$dir/openssl")"
}

# Sees the site's certificate verified, and the answer's headers in $dir/headers.
site() { curl -gsS --http1.1 --max-time $patience --cacert "$dir/site.pem" -D "$dir/headers" "https://localhost:$port$1" "${@:2}"; }
site_status() { site "$1" -o /dev/null -w '%{http_code}' "${@:2}"; }
has_header() { grep -qi "^$1" "$dir/headers" || fail "no $1 in $(cat "$dir/headers")"; }

# What the site has besides the reads of the API.
site_is_whole() {
    local path
    expect "CMS GET /admin" site /admin
    has_header 'Strict-Transport-Security: max-age=63072000'
    expect 'the blog' site /blog/
    expect "301 https://localhost:$port/blog/" curl -s -o /dev/null -w '%{http_code} %{redirect_url}' "http://localhost:$plain_port/blog/"
    for path in '/uploads/a.png' '/_health' '/apis'; do expect "CMS GET $path" site "$path"; done
    expect 'CMS POST /api/articles 7' site /api/articles -d '{"a":1}'
    expect 'CMS DELETE /api/articles/1' site /api/articles/1 -X DELETE
    expect 'CMS OPTIONS /api/articles' site /api/articles -X OPTIONS
    expect "CMS POST /api/upload $(stat -c %s "$program")" site /api/upload --data-binary "@$program"
}
site_has_the_reads_of_the_cms() {
    expect 'CMS GET /api/tags?sort=id' site '/api/tags?sort=id'
    has_header 'Strict-Transport-Security: max-age=63072000'
}
what_is_read_is_ours() {
    expect ours jq -r 'if .meta.pagination.total > 0 then "ours" else . end' <(site '/api/tags?sort=id')
    has_header 'Strict-Transport-Security: max-age=63072000'
    expect 400 site_status '/api/tags?sort=nope'
    expect 200 site_status /api/tags -I
    expect 'CMS GET /api/tags' site /api/tags -H 'Strapi-Encode-Source-Maps: true'
}
reads_are_ours() {
    what_is_read_is_ours
    # A caller that populate-fcgi does not know, whose token may be of a secret that is the CMS's alone.
    expect 'CMS GET /api/tags' site /api/tags -H 'Authorization: Bearer of-another-secret'
    # Routes that populate-fcgi does not know, and entries that are not there.
    for path in '/api/nope?a[b]=1' /api/auth/local /api /API /api/articles/99999; do expect "CMS GET $path" site "$path"; done
}
are_ours() { [[ $(site /api/tags) == '{"data":['* ]]; }

# Whatever keeps populate-fcgi from answering, the CMS answers, at once.
what_we_cannot_answer_the_cms_answers() {
    local event # what happens; how it ends
    # shellcheck disable=SC2016 # each is evaluated when it comes to it
    for event in \
        "sql 'REVOKE SELECT ON ks.* FROM populate@localhost'; sql 'GRANT SELECT ON ks.* TO populate@localhost'" \
        "sql \"ALTER USER populate@localhost IDENTIFIED BY 'other'\"; sql \"ALTER USER populate@localhost IDENTIFIED BY 'populate'\"" \
        "sql 'ALTER USER populate@localhost ACCOUNT LOCK'; sql 'ALTER USER populate@localhost ACCOUNT UNLOCK'" \
        "sql 'RENAME TABLE ks.up_permissions TO ks.gone'; sql 'RENAME TABLE ks.gone TO ks.up_permissions'" \
        "sql 'RENAME TABLE ks.tags TO ks.gone'; sql 'RENAME TABLE ks.gone TO ks.tags'" \
        "database stop; database start" \
        'kill -KILL $server; start_program' \
        'lose_socket; kill $server && start_program'; do
        eval "${event%%; *}"
        sql 'KILL CONNECTION USER populate@localhost' 2>/dev/null || true
        # What is known of the tables is known for five seconds.
        wait_until 30 site_is_the_cms || fail "not the CMS's after $event: $(site /api/tags)"
        for _ in 1 2 3; do expect 'CMS GET /api/tags?sort=id' site '/api/tags?sort=id' --max-time 8; done
        eval "${event#*; }"
        wait_until 60 are_ours || fail "not ours again after $event: $(site /api/tags)"
    done
}
lose_socket() { rm "$socket" && renew_workers; }
database() { "$tests/../nginx/database" "$1" "$(dirname "$POPULATE_TEST_SOCKET")"; }

# A statement that takes too long would take the CMS as long.
what_we_will_not_answer_nobody_has_to() {
    local before
    end_program
    start_program 500ms
    wait_until 60 are_ours || fail "not ours again: $(site /api/tags)"
    before=$(wc -l <"$dir/cms.asked")
    (sql 'LOCK TABLES tags WRITE; DO SLEEP(300)' 2>/dev/null) &
    children+=($!)
    wait_until 60 is_locked
    expect 504 site_status '/api/tags?sort=id'
    sql "KILL $(who_locks)"
    [ "$(wc -l <"$dir/cms.asked")" = "$before" ] || fail "the CMS was asked: $(tail -n 3 "$dir/cms.asked")"
}
who_locks() { sql "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO = 'DO SLEEP(300)'" | tail -n 1; }
is_locked() { [ -n "$(who_locks)" ]; }

# nginx's own word for who answered, in a log of the site's.
nginx_says_who_answered() {
    local who
    for who in populate-fcgi cms -; do
        grep -q "answered-by=$who upstream-status=" "$dir/site.log" || fail "no answered-by=$who in $(tail -n 5 "$dir/site.log")"
    done
    grep -q '"GET /api/tags?sort=id HTTP/[0-9.]*" 200 .* answered-by=cms upstream-status="502 : 200"' "$dir/site.log" ||
        fail "no 502 : 200 in $(tail -n 5 "$dir/site.log")"
}

# For nginx: cms_stub ADDRESS
cms_stub() {
    cat <<END
log_format asked '\$request';
server {
    listen $1;
    access_log $dir/cms.asked asked;
    client_max_body_size 1g;
    # What is sent is read, as a CMS reads it.
    location / {
        proxy_pass http://unix:$dir/said.sock:;
        proxy_pass_request_body off;
        proxy_set_header Content-Length "";
        proxy_set_header X-Length \$http_content_length;
    }
}
server {
    listen unix:$dir/said.sock;
    location / { return 200 "CMS \$request_method \$request_uri\$cms_length"; }
    location ~ 99999 { return 404 "CMS GET \$request_uri"; }
}
map \$http_x_length \$cms_length { default " \$http_x_length"; "" ""; 0 ""; }
END
}

nginx_server() {
    cat >"$dir/site.conf" <<END
$(cms_stub "unix:$dir/cms.sock")
server {
    listen 127.0.0.1:$plain_port;
    return 301 https://localhost:$port\$request_uri;
}
server {
    listen 127.0.0.1:$port ssl;
    server_name localhost;
    ssl_certificate $dir/site.pem;
    ssl_certificate_key $dir/site.key;
    access_log $dir/site.log $1;
    add_header Strict-Transport-Security "max-age=63072000" always;
    location / { client_max_body_size 1g; proxy_pass http://unix:$dir/cms.sock:; proxy_set_header Host \$host; }
    location /blog/ { return 200 "the blog"; }
    $2
}
END
}
nginx_include() {
    local server plain_port
    choose_port 20180
    plain_port=$port
    choose_port "$((port + 1))"
    url=http://127.0.0.1:$plain_port
    certificate
    # As an owner has copied them, before there was reads.conf.
    cp /etc/nginx/fastcgi_params "$tests/servers/before/populate-fcgi-edge.conf" "$dir"
    here "$tests/servers/before/http.conf" >"$dir/http.conf"
    nginx_server combined ''
    start_nginx "include $dir/site.conf;"
    site_is_whole
    site_has_the_reads_of_the_cms

    start_program
    nginx_server populate "include $examples/nginx/api.conf;"
    reload_nginx "include $dir/http.conf; include $dir/site.conf;"
    wait_until 60 are_ours || fail "the reads are not ours: $(site /api/tags)"
    site_is_whole
    reads_are_ours
    what_we_cannot_answer_the_cms_answers
    what_we_will_not_answer_nobody_has_to
    nginx_says_who_answered

    here "$examples/nginx/http.conf" >"$dir/http.conf"
    reload_nginx "include $dir/http.conf; include $dir/site.conf;"
    reads_are_ours
    the_site_of_0_2_0_stays

    nginx_server combined ''
    reload_nginx "include $dir/http.conf; include $dir/site.conf;"
    wait_until 60 site_is_the_cms || fail "the reads are not the CMS's: $(site /api/tags)"
    site_is_whole
    site_has_the_reads_of_the_cms
}
# The file of the last release with one, which owners have copied as a whole.
the_site_of_0_2_0_stays() {
    here "$tests/servers/before/nginx-site.conf" | sed "s|listen 80;|listen unix:$dir/before.sock;|" >"$dir/before.conf"
    before() { curl -gsS --max-time $patience --unix-socket "$dir/before.sock" "http://cms.example.org$1" "${@:2}"; }
    reload_nginx "$(cms_stub "unix:$dir/cms.sock") include $dir/before.conf; server { listen 127.0.0.1:$plain_port; }"
    expect ours jq -r 'if .meta.pagination.total > 0 then "ours" else . end' <(before /api/tags)
    expect 'CMS GET /api/nope?a=%2F' before '/api/nope?a=%2F'
    expect 'CMS POST /api/tags 7' before /api/tags -d '{"a":1}'
    expect 401 before /api/tags -H 'Authorization: Bearer of-another-secret' -o /dev/null -w '%{http_code}'
    end_program
    expect 'CMS GET /api/tags' before /api/tags
    start_program
}
# The addresses in FILE are those of this test.
here() { sed "s|/run/populate-fcgi\\\\*[.]sock|$socket|; s|127.0.0.1:1337|unix:$dir/cms.sock|" "$1"; }
site_is_the_cms() { [ "$(site /api/tags)" = 'CMS GET /api/tags' ]; }
