# Burns CPU time in a child, and says nothing.
(while :; do :; done) &
wait
