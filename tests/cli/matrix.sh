#!/bin/sh
# Runs index and concatenation on threads for every n, k, b of the list below; every byte is
# verified by the program. Problems whose buffers exceed the given number of MiB are left out, and
# counted.
# usage: matrix.sh PROGRAM MOST_MIB N...
set -u
program=$1
most=$2
shift 2
right=0 wrong=0 left=0
for n in "$@"; do
    ports=$(for k in 1 2 3 $((n - 1)); do
        [ "$k" -ge 1 ] && { [ "$k" -lt "$n" ] || [ "$k" -eq 1 ]; } && echo "$k"
    done | sort -nu)
    for k in $ports; do
        for b in 0 1 7 8 4096 1048576; do
            for operation in index concat; do
                copies=2
                [ "$operation" = index ] && copies=3
                if [ $((copies * n * n * b / 1048576)) -gt "$most" ]; then
                    left=$((left + 1))
                    continue
                fi
                if "$program" run "$operation:n=$n,k=$k,b=$b" --repeat 2 >/dev/null; then
                    right=$((right + 1))
                else
                    wrong=$((wrong + 1))
                fi
            done
        done
    done
done
echo "$right right, $wrong wrong, $left left out (more than $most MiB)"
[ "$wrong" -eq 0 ] && [ "$right" -gt 0 ]
