# shellcheck shell=bash disable=SC2034,SC2154 # run assigns, and uses
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
        plug "$number"
        ip -n "pf-$number" link set lo up
        ip netns exec "pf-$number" nft add table inet cut
        ip netns exec "pf-$number" nft add chain inet cut in '{ type filter hook input priority 0; }'
        ip netns exec "pf-$number" nft add chain inet cut out '{ type filter hook output priority 0; }'
    done
}

# Its two ends are pf-N here and eth0 there.
plug() { # NUMBER
    ip link set "pf-$1" master pf-bridge up
    ip -n "pf-$1" addr add "10.77.0.$1/24" dev eth0
    ip -n "pf-$1" link set eth0 up
}

# Instead of the kernel's own wire one that can be slow, and lose some of what it is given.
declare -A wires=()
lay_wire() { # NUMBER
    ip link del "pf-$1"
    mkfifo "$dir/wire$1"
    "$wire_program" "pf-$1" "pf-$1-far" <>"$dir/wire$1" &
    wires[$1]=$!
    wait_until 60 test -e "/sys/class/net/pf-$1-far" || fail "no wire to $1"
    ip link set "pf-$1-far" netns "pf-$1" name eth0
    plug "$1"
}
make_wire() { # NUMBER MILLISECONDS PERCENT: how long it takes one way, how much is lost
    echo "$2 $3" >"$dir/wire$1"
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
