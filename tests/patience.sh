# Sourced by scripts that start the program where no test is about its limits of time: what a busy machine is late
# with is late, and not refused.
export POPULATE_STATEMENT_TIMEOUT=1m POPULATE_REQUEST_TIMEOUT=1m POPULATE_ACQUIRE_TIMEOUT=1m
