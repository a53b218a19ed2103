# Starts processes that outlive it, then says nothing.
sleep 7654.321 &
(sleep 7654.321 &)
sleep 7654.321
