# shellcheck shell=bash disable=SC2154 # run and sites.sh assign
# Part of run, in `tests/with database`.
#
# The site of sites.sh, as its owner made it with another web server: TLS, HSTS, a redirect, a blog, the rest the
# CMS's, and the line that includes populate-fcgi or nothing.

apache_site() {
    {
        for module in mpm_event authz_core mime dir alias headers ssl socache_shmcb proxy proxy_http proxy_fcgi rewrite; do
            echo "LoadModule ${module}_module /usr/lib/apache2/modules/mod_$module.so"
        done
        cat <<END
ServerName localhost
Listen 127.0.0.1:$port
Listen 127.0.0.1:$plain_port
PidFile $dir/apache.pid
DefaultRuntimeDir $dir/run
ErrorLog $dir/apache.log
TypesConfig /etc/mime.types
$([ "$(id -u)" != 0 ] || printf 'User www-data\nGroup www-data\n')
<Directory $dir/www>
    Require all granted
</Directory>
<VirtualHost 127.0.0.1:$plain_port>
    Redirect permanent / https://localhost:$port/
</VirtualHost>
<VirtualHost 127.0.0.1:$port>
    SSLEngine on
    SSLCertificateFile $dir/site.pem
    SSLCertificateKeyFile $dir/site.key
    Header always set Strict-Transport-Security "max-age=63072000"
    DocumentRoot $dir/www
    ProxyPass /blog/ !
    ProxyPass / http://127.0.0.1:$cms_port/
    ${1:+Include $1}
</VirtualHost>
END
    } >"$dir/apache.conf"
    exec apache2 -f "$dir/apache.conf" -D FOREGROUND
}

caddy_site() {
    cat >"$dir/Caddyfile" <<END
{
    admin off
    auto_https off
}
http://localhost:$plain_port {
    bind 127.0.0.1
    redir https://localhost:$port{uri} permanent
}
https://localhost:$port {
    bind 127.0.0.1
    tls $dir/site.pem $dir/site.key
    header Strict-Transport-Security "max-age=63072000"
    ${1:+import $1}
    handle /blog/* {
        respond "the blog"
    }
    handle {
        reverse_proxy 127.0.0.1:$cms_port
    }
}
END
    XDG_DATA_HOME=$dir XDG_CONFIG_HOME=$dir exec caddy run --config "$dir/Caddyfile" --adapter caddyfile
}

lighttpd_site() {
    local include=${1:+"include \"$1\""}
    cat >"$dir/lighttpd.conf" <<END
server.modules = ("mod_redirect", "mod_setenv", "mod_openssl", "mod_proxy", "mod_fastcgi")
server.document-root = "$dir/www"
index-file.names = ("index.html")
server.bind = "127.0.0.1"
server.port = $port
server.upload-dirs = ("$dir")
ssl.engine = "enable"
ssl.pemfile = "$dir/site.pem"
ssl.privkey = "$dir/site.key"
setenv.add-response-header = ("Strict-Transport-Security" => "max-age=63072000")
\$SERVER["socket"] == "127.0.0.1:$plain_port" {
    ssl.engine = "disable"
    url.redirect = ("" => "https://localhost:$port\${url.path}\${qsa}")
}
\$HTTP["url"] !~ "^/blog/" {
    proxy.server = ("" => (("host" => "127.0.0.1", "port" => $cms_port)))
}
$include
END
    exec lighttpd -D -f "$dir/lighttpd.conf"
}

# start_site SERVER [FILE], which is the one that runs from then on
start_site() {
    if [ -n "${site_server-}" ]; then
        kill "$site_server"
        wait_until 60 is_gone "$site_server" || fail "$1 does not end"
    fi
    "$1_site" "${2-}" >>"$dir/$1.log" 2>&1 &
    site_server=$!
    children+=("$site_server")
    wait_until 60 site_answers || fail "$1 does not answer"
}
# At both ports, which a server need not open at once.
site_answers() { answers && site / >"$dir/root" 2>&1; }

# What populate-fcgi cannot answer, also where it is gone.
the_cms_answers_the_rest() {
    reads_are_ours
    end_program
    expect 'CMS GET /api/tags?sort=id&a%5Bb%5D=%2F' site '/api/tags?sort=id&a%5Bb%5D=%2F'
    has_header 'Strict-Transport-Security: max-age=63072000'
    start_for_all
    wait_until 60 are_ours || fail "not ours again: $(site /api/tags)"
}
# Of whatever account the server is.
start_for_all() {
    start_program
    chmod 666 "$socket"
}

# includes SERVER FILE PORT REST: takes the site of that server, FILE of it in nginx/servers, the first port to try,
# and what holds of the rest.
includes() {
    local plain_port cms_port server site_server
    choose_port "$3"
    cms_port=$port
    start_nginx "$(cms_stub "127.0.0.1:$cms_port")"
    choose_port "$((port + 1))"
    plain_port=$port
    choose_port "$((port + 1))"
    url=http://127.0.0.1:$plain_port
    certificate
    mkdir -p "$dir/www/blog" "$dir/run"
    echo 'the blog' >"$dir/www/blog/index.html"
    example "$2" "s|/run/populate-fcgi.sock|$socket|" >"$dir/${2##*/}"
    sed -i "s|127.0.0.1:1337|127.0.0.1:$cms_port|" "$dir/${2##*/}"

    start_site "$1"
    site_is_whole
    site_has_the_reads_of_the_cms
    start_for_all
    start_site "$1" "$dir/${2##*/}"
    site_is_whole
    "$4"
    start_site "$1"
    site_is_whole
    site_has_the_reads_of_the_cms
}

apache_include() { includes apache apache/api.conf 20280 the_cms_answers_the_rest; }
caddy_include() { includes caddy caddy/api.caddy 20380 the_cms_answers_the_rest; }
lighttpd_include() { includes lighttpd lighttpd/api.conf 20480 what_is_read_is_ours; }
