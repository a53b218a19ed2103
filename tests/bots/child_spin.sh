# Uses CPU time in a child process, and prints nothing.
(while :; do :; done) &
wait
