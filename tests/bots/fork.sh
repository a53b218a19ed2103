# Starts processes that outlive it, and prints nothing.
sleep 7654.321 &
(sleep 7654.321 &)
sleep 7654.321
