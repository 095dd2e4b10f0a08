# Sourced by ./plait and ./run-tests, from the top of the tree: installs what is missing and builds into build/.
# Quick when there is nothing to do; two of them at once take turns.

say() { printf 'plait: %s\n' "$*" >&2; }

# Debian packages of setup/packages.txt that are not installed.
missing_packages() {
  grep -v '^[[:space:]]*\(#\|$\)' setup/packages.txt | while read -r package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

install_packages() {
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
      say "these packages are missing and there is no sudo to install them: $missing"
      return 2
    }
    as_root=sudo
  fi
  say "installing $missing"
  # The package lists of a fresh machine may be empty or old: refresh them only if needed.
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2 ||
    { $as_root apt-get update >&2 &&
      $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing >&2; } ||
    { say "cannot install: $missing"; return 2; }
}

# up_to_date STAMP PATH...: nothing under the paths is newer than the stamp.
up_to_date() {
  stamp=$1
  shift
  [ -e "$stamp" ] && [ -z "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]
}

# build STAMP TARGET...
build() {
  stamp=$1
  shift
  mkdir -p build
  log=build/setup.log
  # As old as the sources that are built, so that a change during the build is not missed.
  touch "$stamp.begun"
  {
    cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 &&
      cmake --build build --target "$@"
  } >"$log" 2>&1 || {
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
