# Sourced by tests of what is installed and packed.

# not_hardened PROGRAM: what it lacks of what compiler and linker can do against attackers
not_hardened() {
    local facts
    facts=$(readelf --dynamic --program-headers --dyn-syms --wide "$1")
    lacks() { ! grep -q "$1" <<<"$facts"; }
    ! lacks 'Flags:.* PIE' || echo "its addresses are the same in each process: no PIE"
    ! lacks GNU_RELRO || echo "tables of addresses stay writable: no RELRO"
    ! lacks 'Flags:.* NOW' || echo "those of functions stay writable: no BIND_NOW"
    lacks 'GNU_STACK.* RWE' || echo "its stack can be executed"
    ! lacks __vsnprintf_chk || echo "ends of buffers are not checked: no FORTIFY_SOURCE"
    ! lacks __stack_chk_fail || echo "returns are not checked: no stack protector"
    # Each page of a large frame is touched.
    [ -n "$(objdump -d --no-show-raw-insn "$1" | grep 'orq *\$0x0,(%rsp)')" ] ||
        echo "a large frame may skip the guard of the stack: no clash protection"
}
