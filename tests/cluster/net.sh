# shellcheck shell=bash
# Sourced by run: machines of one network on this one. Each is a network namespace with the address
# 10.77.0.N at a bridge, at which this machine is 10.77.0.254. Unix sockets go across.

net_up() { # NUMBER…
    ip link add pf-bridge type bridge
    ip addr add 10.77.0.254/24 dev pf-bridge
    ip link set pf-bridge up
    local number
    for number; do
        ip netns add "pf-$number"
        ip link add "pf-$number" type veth peer name eth0 netns "pf-$number"
        ip link set "pf-$number" master pf-bridge up
        ip -n "pf-$number" addr add "10.77.0.$number/24" dev eth0
        ip -n "pf-$number" link set eth0 up
        ip -n "pf-$number" link set lo up
        ip netns exec "pf-$number" nft add table inet cut
        ip netns exec "pf-$number" nft add chain inet cut in '{ type filter hook input priority 0; }'
        ip netns exec "pf-$number" nft add chain inet cut out '{ type filter hook output priority 0; }'
    done
}

net_down() {
    local name
    for name in $(ip netns list 2>/dev/null | sed -n 's/^\(pf-[0-9]*\).*/\1/p'); do
        ip netns del "$name"
    done
    for name in bridge 1 2 3 11 12; do ip link del "pf-$name" 2>/dev/null || true; done
}

on() { # NUMBER COMMAND…
    local number=$1
    shift
    ip netns exec "pf-$number" "$@"
}

# Nothing gets from the machine to those addresses, nor back; without any: to nobody.
cut_off() { # NUMBER [ADDRESS…]
    local number=$1 address
    shift
    if [ $# = 0 ]; then
        on "$number" nft add rule inet cut in iifname eth0 drop
        on "$number" nft add rule inet cut out oifname eth0 drop
    fi
    for address; do
        on "$number" nft add rule inet cut in ip saddr "$address" drop
        on "$number" nft add rule inet cut out ip daddr "$address" drop
    done
}

heal() { # NUMBER
    on "$1" nft flush table inet cut
}
