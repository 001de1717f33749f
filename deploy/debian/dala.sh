#!/bin/sh
# Runs a command of Dala with the settings of the service and as its user: dala backup, dala help.
set -eu

# The service gives its settings itself.
if [ -z "${DATA_DIR-}" ]; then
  if [ -r /etc/default/dala ]; then
    set -a
    . /etc/default/dala
    set +a
  fi
  export DATA_DIR="${DATA_DIR:-/var/lib/dala}"
fi

# Files of the data folder belong to the user of the service.
if [ "$(id -u)" -eq 0 ]; then
  exec setpriv --reuid=dala --regid=dala --init-groups --inh-caps=-all /usr/lib/dala/bin/dala "$@"
fi
exec /usr/lib/dala/bin/dala "$@"
