# Sourced by commands that take minutes: which step they are at. On a terminal that is one line, which is rewritten;
# elsewhere it is a line for each step. Where one of these commands calls another and exports step_line, the
# steps of that are details of its own step.
steps=0 step= step_number=0 started=$SECONDS
step_of_caller=${step_line:+$step_line:}

# begin_steps NUMBER
begin_steps() { steps=$1; }

# next_step WHAT: "building"
next_step() {
    step=$1
    step_number=$((step_number + 1))
    step_line="${step_of_caller:-[$step_number/$steps]} $step"
    if [ -t 1 ]; then show_step; else echo "$step_line"; fi
}

# show_step [DETAIL]: on a terminal, in the place of what stood on the line. The detail is not cut off.
show_step() {
    local detail=${1:+: $1}
    [ ! -t 1 ] || printf '\r\033[K%.*s%s' "$((${COLUMNS:-80} - 2 - ${#detail}))" "$step_line" "$detail"
}

# clear_step: the line is free for what is said next.
clear_step() { [ ! -t 1 ] || printf '\r\033[K'; }

# duration: how long the command has taken, "1 min 5 s"
duration() {
    local took=$((SECONDS - started))
    [ $took -lt 60 ] || printf '%s min ' $((took / 60))
    echo "$((took % 60)) s"
}

# count_files LOG: copies what a build prints to the end of LOG, and shows which file of how many it is at.
count_files() {
    local line
    while IFS= read -r line; do
        echo "$line" >>"$1"
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ Building ]]; then
            show_step "${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} files"
        fi
    done
}

# interrupted_before FILE: says where an earlier call was interrupted, which noted it in FILE, and that this one goes on.
interrupted_before() {
    [ -s "$1" ] || return 0
    echo "going on where the last call was interrupted: $(cat "$1")"
    rm -f "$1"
}

# note_interruption FILE
note_interruption() {
    [ -z "$step" ] || echo "$step" >"$1"
    clear_step
    echo "$(basename "$0"): interrupted${step:+ while $step}; nothing is left running, and the next call goes on from there" >&2
}
