# Prints nothing and ignores the signals that ask it to end.
trap '' TERM INT HUP
while :; do sleep 1; done
