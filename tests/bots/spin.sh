# Burns CPU time and says nothing.
while :; do :; done
