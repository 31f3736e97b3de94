# Varnish 7 with the module xkey (in Debian the packages varnish and varnish-modules), as /etc/varnish/default.vcl. What
# else it needs is in docs/cdn-and-nextjs.md.
#
# Varnish keeps a response if populate-fcgi names what it depends on, and `populate-fcgi notify` purges these names when
# that changes. It keeps nothing else, whatever Cache-Control says: what the CMS responds, for example.
vcl 4.1;

import xkey;

# nginx, which has origin.conf.
backend default {
    .host = "127.0.0.1";
    .port = "6080";
    .connect_timeout = 5s;
    .first_byte_timeout = 30s;
}

# Where `populate-fcgi notify` runs.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        # Varnish adds the address of who connects to this header: there is another one in it if a proxy passes on what
        # a client sent.
        if (client.ip !~ purgers || req.http.X-Forwarded-For != "" + client.ip) {
            return (synth(403));
        }
        set req.http.purged = xkey.purge(req.http.xkey-purge);
        return (synth(200, "Purged " + req.http.purged));
    }
}

# populate-fcgi reads no cookies. Varnish's own rules have passed on writes and requests with Authorization by now.
sub vcl_req_cookie {
    return (hash);
}

# What follows on a connection that is piped would not come here any more.
sub vcl_pipe {
    return (synth(405));
}

# URL and host are added by Varnish's own rules.
sub vcl_hash {
    hash_data(req.http.Origin);
    hash_data(req.http.Strapi-Response-Format);
}

sub vcl_backend_response {
    # No old response is sent, also while a new one is fetched.
    set beresp.grace = 0s;
    set beresp.keep = 0s;
    if (bereq.uncacheable) {
        return (deliver);
    }
    # The other name that the setting `surrogate-key` may have.
    if (beresp.http.Surrogate-Key) {
        set beresp.http.xkey = beresp.http.Surrogate-Key;
    }
    if (beresp.http.xkey && beresp.http.Surrogate-Control !~ "no-store" && !beresp.http.Set-Cookie) {
        # As old as a response can become while nothing is purged: while `populate-fcgi notify` does not run.
        set beresp.ttl = 1h;
    } else {
        # Those who waited for this response fetch their own ones. The first of these that may be kept is.
        set beresp.uncacheable = true;
        set beresp.ttl = 1s;
    }
    return (deliver);
}

sub vcl_deliver {
    unset resp.http.xkey;
    unset resp.http.Surrogate-Key;
    unset resp.http.Cache-Tag;
    unset resp.http.Surrogate-Control;
    # It is as new as one that was not kept: the time in Cache-Control begins now.
    unset resp.http.Age;
    if (obj.hits > 0) {
        set resp.http.X-Cache-Status = "HIT";
    } else {
        set resp.http.X-Cache-Status = "MISS";
    }
}
