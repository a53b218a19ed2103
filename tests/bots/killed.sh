# Is killed by a signal.
read -r turn
kill -SEGV $$
