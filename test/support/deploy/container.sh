#!/bin/sh
# container.sh ROOT IMAGE USER WORKDIR [ro|rw:SOURCE:TARGET]... -- COMMAND...
# Runs a command as it would run in a container of the image: it sees the files of IMAGE over the system of this machine,
# all of them read-only, as an ordinary user without privileges. ROOT is an empty folder. For a mount namespace of its own.
set -eu
root=$1 image=$2 user=$3 workdir=$4
shift 4

bind() { # <ro|rw> <source> <target>
  if [ -d "$2" ]; then mkdir -p "$root$3"; else mkdir -p "$(dirname "$root$3")" && : >"$root$3"; fi
  mount --bind "$2" "$root$3"
  if [ "$1" = ro ]; then mount -o remount,bind,ro "$root$3"; fi
}

mount -t tmpfs -o mode=0755 tmpfs "$root"
for name in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then ln -s "$(readlink "/$name")" "$root/$name"; elif [ -d "/$name" ]; then bind ro "/$name" "/$name"; fi
done
for folder in /usr/bin /usr/sbin /usr/lib /usr/lib32 /usr/lib64 /usr/libx32 /usr/share; do
  if [ -d "$folder" ]; then bind ro "$folder" "$folder"; fi
done
# The machine's copies of the image's programs are not those of the image.
for program in node nats-server; do
  for folder in /usr/bin /usr/sbin; do
    if [ -e "$folder/$program" ]; then mount --bind /dev/null "$root$folder/$program"; fi
  done
done
for file in passwd group hosts resolv.conf nsswitch.conf; do
  if [ -e "/etc/$file" ]; then bind ro "/etc/$file" "/etc/$file"; fi
done
bind ro "$image/usr/local" /usr/local
bind ro "$image/opt" /opt
for device in null zero random urandom; do bind rw "/dev/$device" "/dev/$device"; done
mkdir "$root/proc"
mount -t proc proc "$root/proc"
while [ "$1" != -- ]; do
  mode=${1%%:*} rest=${1#*:}
  bind "$mode" "${rest%%:*}" "${rest#*:}"
  shift
done
shift
mount -o remount,ro "$root"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# shellcheck disable=SC2016 # expanded by the inner shell
exec setpriv --no-new-privs chroot --userspec="$user" "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$workdir" "$@"
