# shellcheck shell=bash disable=SC2154 # run and sites.sh assign
# Part of run, in `tests/with database`.
#
# Sites as owners have them, in front of a CMS that refuses, each with and without populate-fcgi: same.js.

# The process id makes an address that no other test has.
same_address=127.$(($$ >> 16)).$(($$ >> 8 & 255)).$(($$ & 255))
same_cms_port=20800 same_first_port=20810

# add_site NAME TEXT: a site of $server, without and with populate-fcgi: WITH in the text stands for what includes it; for
# `a slow route` that is a file where populate-fcgi has five seconds.
add_site() {
    local port=$((same_first_port + 2 * ${#same_sites[@]})) with=$with
    [ "$1" != 'a slow route' ] || with=${with/$dir\//$dir\/slow-}
    same_sites+=("$1")
    same_blocks+=$("$server"_block $port "${2//WITH/}")$'\n'
    same_blocks+=$("$server"_block $((port + 1)) "${2//WITH/$with}")$'\n'
}
# responds_the_same STATE LEAST: at least so many reads are populate-fcgi's own
responds_the_same() {
    local line
    echo "$1" >&"${same[1]}"
    read -r -t 120 line <&"${same[0]}" || fail "$1: no response: $(cat "$dir/same")"
    [[ $line == *', 0 wrong' ]] || fail "$line
$(cat "$dir/same")"
    [ "$(sed 's/.* to each, \([0-9]*\).*/\1/' <<<"$line")" -ge "$2" ] || fail "few reads are ours: $line"
    echo "$line"
}
# same SERVER WITH [PATTERN [PATTERN]]: with what includes populate-fcgi, which reads it does not get there, and which
# requests the server does not treat the same
same() {
    local server=$1 with=$2 not_ours=${3-^$} not_the_same=${4-^$} same_sites=() same_blocks= ready
    printf 'site:%s\n' "$(openssl passwd -apr1 secret)" >"$dir/passwords"
    "$server"_sites
    # The CMS is there before the servers, some of which do not try it again at once.
    coproc same { exec node "$tests/servers/same.js" "$same_address" $same_cms_port $same_first_port "$not_ours" "$not_the_same" \
        "${same_sites[@]}" 2>"$dir/same"; }
    children+=("$same_PID")
    read -r -t $patience ready <&"${same[0]}" || fail "no CMS: $(cat "$dir/same")"
    url=http://$same_address:$same_first_port
    "start_$server"_sites
    start_for_all
    responds_the_same running $((3 * ${#same_sites[@]}))
    end_program
    responds_the_same stopped 0
}

nginx_block() {
    echo "server { listen $same_address:$1; server_name site.example; add_header X-Site \"a site\" always; $2 }"
}
nginx_sites() {
    local cms='proxy_pass http://cms; proxy_set_header Host $host; proxy_set_header X-Real-IP $remote_addr;'
    local pages='error_page 401 /own/401; error_page 403 /own/403; error_page 404 /own/404; error_page 502 /own/502;
        error_page 503 /own/503; location /own/ { return 200 "own $uri $status"; }'
    local secret="auth_basic site; auth_basic_user_file $dir/passwords;"
    add_site 'all of the site' "location / { $cms WITH }"
    add_site 'files first' "location / { root $dir; try_files \$uri @cms; WITH } location @cms { $cms }"
    add_site 'only the API, elsewhere' "location ^~ /api/ { proxy_pass http://cms/v1/; client_max_body_size 1m; WITH } location / { return 404; }"
    add_site 'a pattern' "location ~ ^/(api|admin) { $cms WITH } location / { return 404; }"
    add_site 'a password of the site' "$secret location / { $cms WITH }"
    add_site 'a password' "location /api/ { $secret $cms WITH }"
    add_site 'a password, and pages' "$pages location /api/ { $secret $cms WITH }"
    add_site 'addresses, and pages' "$pages location /api/ { deny 127.0.0.9; allow all; $cms WITH }"
    add_site 'addresses' "location /api/ { deny 127.0.0.9; allow all; $cms WITH }"
    add_site 'pages in place of those of the CMS' "$pages location / { proxy_intercept_errors on; $cms WITH }"
    add_site 'a subrequest' "location = /may { internal; if (\$http_authorization = '') { return 401; } return 204; } location / { auth_request /may; $cms WITH }"
    add_site 'a subrequest to the CMS' "location = /api/tags/may { proxy_pass http://cms/refuse/403; proxy_pass_request_body off; proxy_set_header Content-Length ''; } location / { auth_request /api/tags/may; $cms WITH }"
    add_site 'limits' "$pages location / { limit_req zone=same burst=1 nodelay; $cms WITH }"
    add_site 'limits with another status' "error_page 429 /own/429; location /own/ { return 200 own; }
        location / { limit_req zone=same burst=1 nodelay; limit_req_status 429; $cms WITH }"
    add_site 'a rewrite' "location /api/ { WITH rewrite ^/api/(.*) /v1/\$1 break; $cms }"
    add_site 'files first, named' "location / { root $dir; try_files \$uri @cms; } location @cms { $cms WITH }"
    add_site 'only reads' "location / { limit_except GET { deny all; } $cms WITH }"
    add_site 'a slow route' "location / { proxy_read_timeout 70s; proxy_http_version 1.1; proxy_set_header Connection ''; $cms WITH }"
    add_site 'a CMS that is gone, and pages' "$pages location / { proxy_pass http://unix:$dir/gone.sock; WITH }"
}
start_nginx_sites() {
    cp /etc/nginx/fastcgi_params "$dir"
    start_nginx "include $dir/http.conf; upstream cms { server $same_address:$same_cms_port; }
        limit_req_zone \$server_port\$http_x_request zone=same:1m rate=1r/m; $same_blocks"
}
nginx_same() {
    example nginx/http.conf "s|/run/populate-fcgi\\\\*[.]sock|$socket|" >"$dir/http.conf"
    example nginx/reads.conf "s|/usr/share/populate-fcgi|$examples|" >"$dir/reads.conf"
    sed "s|_timeout 30s;|_timeout 5s;|" "$dir/reads.conf" >"$dir/slow-reads.conf"
    same nginx "include $dir/reads.conf;"
}

apache_block() {
    echo "Listen $same_address:$1
<VirtualHost $same_address:$1>
    Header always set X-Site \"a site\"
    RequestHeader set X-Real-IP expr=%{REMOTE_ADDR}
    DocumentRoot $dir/www
    $2
</VirtualHost>"
}
apache_section() { # NAME TEXT
    printf '<%s>\n        %s\n    </%s>' "$1" "$2" "${1%% *}"
}
apache_sites() {
    local cms=http://$same_address:$same_cms_port
    local secret="AuthType Basic
        AuthName site
        AuthUserFile $dir/passwords
        Require valid-user"
    local addresses='<RequireAll>
            Require all granted
            Require not ip 127.0.0.9
        </RequireAll>'
    local pages='ErrorDocument 401 "own 401"
    ErrorDocument 403 "own 403"
    ErrorDocument 404 "own 404"
    ErrorDocument 502 "own 502"
    ErrorDocument 503 "own 503"'
    local all="WITH
    ProxyPass / $cms/"
    add_site 'all of the site' "$all"
    add_site 'only the API, elsewhere' "WITH
    ProxyPass /api/ $cms/v1/"
    add_site 'a pattern' "WITH
    ProxyPassMatch ^/(api|admin)(.*)$ $cms/\$1\$2"
    add_site 'a location' "WITH
    $(apache_section 'Location /api/' "ProxyPass $cms/api/")"
    add_site 'a rule' "WITH
    RewriteEngine On
    RewriteRule ^/(.*)$ $cms/\$1 [P]"
    add_site 'encoded slashes' "WITH
    AllowEncodedSlashes NoDecode
    ProxyPass / $cms/ nocanon"
    add_site 'a path that is not there' "RewriteEngine On
    RewriteRule ^/api/nope - [R=404]
    $all"
    add_site 'a password of the site' "$all
    $(apache_section 'Location /' "$secret")"
    add_site 'a password' "$all
    $(apache_section 'Location /api' "$secret")"
    add_site 'a password of what is passed on' "$all
    $(apache_section 'Proxy *' "$secret")"
    add_site 'a password of a pattern' "$all
    $(apache_section 'LocationMatch ^/api' "$secret")"
    add_site 'a password, and pages' "$pages
    $all
    $(apache_section 'Location /api' "$secret")"
    add_site 'addresses' "$all
    $(apache_section 'Location /api' "$addresses")"
    add_site 'addresses, and pages' "$pages
    $all
    $(apache_section 'Location /api' "$addresses")"
    add_site 'pages in place of those of the CMS' "$pages
    ProxyErrorOverride On 418
    $all"
    add_site 'a slow route' "$all timeout=70"
}
start_apache_sites() {
    mkdir -p "$dir/www" "$dir/run"
    chmod a+r "$dir/passwords"
    {
        for module in mpm_event authn_core authn_file auth_basic authz_core authz_user authz_host mime headers proxy proxy_http proxy_fcgi rewrite; do
            echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
        done
        echo "ServerName localhost
PidFile $dir/apache.pid
DefaultRuntimeDir $dir/run
ErrorLog $dir/apache.log
TypesConfig /etc/mime.types
<Directory $dir/www>
    Require all granted
</Directory>
$([ "$(id -u)" != 0 ] || printf 'User www-data\nGroup www-data\n')
$same_blocks"
    } >"$dir/apache.conf"
    apache2 -f "$dir/apache.conf" -D FOREGROUND >"$dir/apache.start.log" 2>&1 &
    children+=($!)
    wait_until 60 answers || fail "Apache does not answer: $(cat "$dir/apache.start.log")"
}
apache_same() {
    example apache/api.conf "s|/run/populate-fcgi.sock|$socket|" >"$dir/api.conf"
    sed "s|timeout=30|timeout=5|" "$dir/api.conf" >"$dir/slow-api.conf"
    same apache "Include $dir/api.conf" 'HEAD|capitals'
}

caddy_block() {
    echo "http://site.example:$1 {
    bind $same_address
    header X-Site \"a site\"
    handle_errors {
        $([[ $2 != *reads.caddy* ]] || echo "import $examples/caddy/gone.caddy")
        $([[ $2 != *'error @denied'* ]] || echo 'respond "own {err.status_code}"')
    }
    $2
}"
}
caddy_sites() {
    local secret="basicauth {
        site $(perl -e 'print crypt "secret", q($2b$04$abcdefghijklmnopqrstuu)')
    }"
    local all="WITH
    import cms"
    add_site 'all of the site' "$all"
    add_site 'handles' "handle /api/* {
        WITH
        import cms
    }
    handle {
        import cms
    }"
    add_site 'a slow route' "$all"
    add_site 'a password of the site' "$secret
    $all"
    add_site 'a password' "handle /api/* {
        $secret
        WITH
        import cms
    }"
    add_site 'addresses' "@denied remote_ip 127.0.0.9
    respond @denied 403
    $all"
    add_site 'a subrequest' "forward_auth $same_address:$same_cms_port {
        uri /refuse/401
    }
    $all"
    add_site 'pages' "@denied remote_ip 127.0.0.9
    error @denied 403
    $all"
}
start_caddy_sites() {
    echo "{
    admin off
    auto_https off
}
(cms) {
    reverse_proxy $same_address:$same_cms_port {
        header_up X-Real-IP {remote_host}
        transport http {
            response_header_timeout 70s
        }
    }
}
$same_blocks" >"$dir/Caddyfile"
    XDG_DATA_HOME=$dir XDG_CONFIG_HOME=$dir caddy run --config "$dir/Caddyfile" --adapter caddyfile >"$dir/caddy.log" 2>&1 &
    children+=($!)
    wait_until 60 answers || fail "Caddy does not answer: $(tail "$dir/caddy.log")"
}
caddy_same() {
    example caddy/reads.caddy "s|/run/populate-fcgi.sock|$socket|" >"$dir/reads.caddy"
    sed "s|read_timeout 30s|read_timeout 5s|" "$dir/reads.caddy" >"$dir/slow-reads.caddy"
    same caddy "import $dir/reads.caddy" capitals chunked
}

lighttpd_block() {
    echo "\$SERVER[\"socket\"] == \"$same_address:$1\" {
    setenv.add-response-header = (\"X-Site\" => \"a site\")
    proxy.server = (\"\" => ((\"host\" => \"$same_address\", \"port\" => $same_cms_port)))
    $2
}"
}
lighttpd_sites() {
    local secret='("method" => "basic", "realm" => "site", "require" => "valid-user")'
    add_site 'all of the site' WITH
    add_site 'a password of the site' "auth.require = (\"\" => $secret)
    WITH"
    add_site 'a password' "\$HTTP[\"url\"] =~ \"^/api/\" { auth.require = (\"\" => $secret) }
    WITH"
    add_site 'addresses' '$HTTP["remoteip"] == "127.0.0.9" { url.access-deny = ("") }
    WITH'
}
start_lighttpd_sites() {
    echo "server.modules = (\"mod_access\", \"mod_auth\", \"mod_authn_file\", \"mod_setenv\", \"mod_proxy\", \"mod_fastcgi\")
server.document-root = \"$dir\"
server.bind = \"$same_address\"
server.port = $((same_first_port - 1))
server.upload-dirs = (\"$dir\")
auth.backend = \"htpasswd\"
auth.backend.htpasswd.userfile = \"$dir/passwords\"
$same_blocks" >"$dir/lighttpd.conf"
    command lighttpd -D -f "$dir/lighttpd.conf" >"$dir/lighttpd.log" 2>&1 &
    children+=($!)
    wait_until 60 answers || fail "lighttpd does not answer: $(cat "$dir/lighttpd.log")"
}
# It hands nothing over.
lighttpd_same() {
    example lighttpd/api.conf "s|/run/populate-fcgi.sock|$socket|" >"$dir/api.conf"
    same lighttpd "include \"$dir/api.conf\"" '^$' 'handed over|a read refused|unknown caller|: /+api|stopped: .*ours'
}
