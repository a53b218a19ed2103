# Closes its output and lives on.
exec >&-
sleep 7654.321
