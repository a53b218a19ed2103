# Uses CPU time and prints nothing.
while :; do :; done
