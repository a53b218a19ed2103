# Says nothing and does not end when asked to.
trap '' TERM INT HUP
while :; do sleep 1; done
