#!/bin/sh
# Runs the program with the Node.js that lies beside it, also when it is called through a link, as krew has it.
self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in /*) self=$target ;; *) self=${self%/*}/$target ;; esac
done
exec "${self%/*}/node" "${self%/*}/program.js" "$@"
