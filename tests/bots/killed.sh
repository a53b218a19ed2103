# Dies of a signal.
read -r turn
kill -SEGV $$
