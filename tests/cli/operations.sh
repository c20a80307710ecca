#!/bin/sh
# Runs every operation on threads as a user does, in place and not, by its default algorithm; every
# byte is verified by the program.
# usage: operations.sh PROGRAM N...
set -u
program=$1
shift
right=0 wrong=0

try() {
    if "$program" run "$1" --repeat 2 >/dev/null; then
        right=$((right + 1))
    else
        wrong=$((wrong + 1))
    fi
}

for n; do
    for k in 1 3; do
        [ "$k" -eq 1 ] || [ "$k" -lt "$n" ] || continue
        for place in 0 1; do
            for operation in index concat scatter gather indexv concatv scatterv gatherv; do
                try "$operation:n=$n,k=$k,b=777,in_place=$place"
            done
            for operation in reduce allreduce reduce-scatter reduce-scatterv scan scan-exclusive; do
                for what in type=float64 type=int16,op=maximum type=uint8,op=bit-xor op=compose; do
                    try "$operation:n=$n,k=$k,count=100,$what,in_place=$place"
                done
            done
        done
        try "barrier:n=$n,k=$k"
        try "barrier:n=$n,k=$k,alg=dissemination"
        try "barrier:n=$n,k=$k,alg=dissemination,rounds=mailboxes"
        try "broadcast:n=$n,k=$k,b=5000,root=$((n - 1))"
        try "one-to-one:n=$n,k=$k,b=5000,root=$((n / 2)),to=0"
        try "reduce:n=$n,k=$k,count=20000,root=$((n - 1))"
        try "allreduce:n=$n,k=$k,count=20000"
    done
done
echo "$right right, $wrong wrong"
[ "$wrong" -eq 0 ] && [ "$right" -gt 0 ]
