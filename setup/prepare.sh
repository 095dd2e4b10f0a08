# shellcheck shell=sh
# Sourced by ./plait and ./run-tests, from the top of the tree: installs what is missing and builds into build/.
# Quick when there is nothing to do; two of them at once take turns.

say() { printf 'plait: %s\n' "$*" >&2; }

# show TEXT MARK: how far we are. On a terminal one line that changes, elsewhere a line for every new mark.
shown=
show() {
  if [ -t 2 ]; then
    printf '\r\033[Kplait: %s' "$1" >&2
  elif [ "$2" != "$shown" ]; then
    shown=$2
    say "$1"
  fi
}
end_show() { [ ! -t 2 ] || printf '\r\033[K' >&2; }

# missing_packages LIST...: Debian packages of the lists that are not installed.
missing_packages() {
  grep -hv '^[[:space:]]*\(#\|$\)' "$@" | while read -r package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

# apt_install PACKAGE...: apt-get tells its progress in lines "dlstatus:1:12.3:..." (downloads), then "pmstatus:...".
# They go to standard output, for sudo closes all other files.
apt_install() {
  {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      -o APT::Status-Fd=1 "$@" 2>&1 </dev/null || echo '[failed]'
  } | (
    status=0
    while IFS= read -r line; do
      case $line in
        '[failed]') status=1 ;;
        dlstatus:*) show_percent "downloading packages" "$line" ;;
        pmstatus:*) show_percent "installing packages" "$line" ;;
        *) printf '%s\n' "$line" ;;
      esac
    done >>"$log"
    end_show
    exit "$status"
  )
}

show_percent() {
  percent=$(printf '%s\n' "$2" | sed -n 's/^[^.]*:\([0-9]*\)\.[0-9]*:.*/\1/p')
  [ -z "$percent" ] || show "$1, $percent %" "$1 $((percent / 10))"
}

# install_packages LIST...
install_packages() {
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
      say "these packages are missing and there is no sudo to install them: $missing"
      return 2
    }
    as_root=sudo
  fi
  mkdir -p build
  log=build/packages.log
  : >"$log"
  say "installing $missing"
  # The package lists of a fresh machine may be empty or old: refresh them only if needed.
  # shellcheck disable=SC2086
  apt_install $missing || { $as_root apt-get update >>"$log" 2>&1 && apt_install $missing; } || {
    tail -n 20 "$log" >&2
    say "cannot install: $missing (the whole log is in $log)"
    return 2
  }
}

# up_to_date STAMP PATH...: nothing under the paths is newer than the stamp.
up_to_date() {
  stamp=$1
  shift
  [ -e "$stamp" ] && [ -z "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

# configure [OPTION...]: a build directory that is there keeps its type.
configure() {
  [ -e build/CMakeCache.txt ] || set -- -DCMAKE_BUILD_TYPE=Release "$@"
  cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 "$@" >"$log" 2>&1
}

# compile TARGET...: ninja says "[done/total] what" for each file.
compile() {
  {
    NINJA_STATUS='[%f/%t] ' cmake --build build --target "$@" 2>&1 </dev/null || echo '[failed]'
  } | (
    status=0
    while IFS= read -r line; do
      case $line in
        '[failed]') status=1 ;;
        '['*/*']'*)
          count=${line%%]*}
          count=${count#[}
          total=${count#*/}
          show "building $count" "$((10 * ${count%/*} / total))"
          ;;
      esac
      printf '%s\n' "$line"
    done >>"$log"
    end_show
    exit "$status"
  )
}

# build STAMP TARGET... [-- OPTION...]: the options are CMake's.
build() {
  stamp=$1
  targets=
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    targets="$targets $1"
    shift
  done
  [ $# = 0 ] || shift
  mkdir -p build
  log=build/setup.log
  # As old as the sources that are built, so that a change during the build is not missed.
  touch "$stamp.begun"
  # shellcheck disable=SC2086
  { configure "$@" && compile $targets; } || {
    tail -n 40 "$log" >&2
    say "the build failed; the whole log is in $log"
    return 70
  }
  mv "$stamp.begun" "$stamp"
}

# Runs the rest of the caller with the build to itself.
take_turn() {
  mkdir -p build
  exec 9>build/setup.lock
  flock 9
}
release_turn() { exec 9>&-; }
