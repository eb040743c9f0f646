# What an installed package and the Debian packages must be. Sourced by run.sh, whose functions and
# variables ($build, $scratch/prefix) it uses.
# shellcheck shell=bash disable=SC2154,SC2016

package_cases() {
  only_public_headers_are_installed
  a_project_need_not_ask_for_a_standard
  pkg_config_is_enough_to_compile
  the_manual_page_has_no_warnings
  bash_completes_commands_options_and_values
  debian_packages_install_and_run
}

# The compiler's own list of what plimsoll.h includes is the other opinion.
only_public_headers_are_installed() {
  g++ -std=c++20 -fopenmp -MM -I. plimsoll/plimsoll.h | tr -s '\\ ' '\n' | grep '\.h$' | sort >"$scratch/included"
  (cd "$scratch/prefix/include" && find . -type f | sed 's,^\./,,' | sort) >"$scratch/installed"
  diff "$scratch/included" "$scratch/installed" || fail "the installed headers are not those that plimsoll.h includes"
  echo "$(wc -l <"$scratch/installed") public headers"
}

write_program() {
  mkdir -p "$1"
  cat >"$1/main.cc" <<'CODE'
#include <plimsoll/plimsoll.h>

int main() {
  const std::vector<float> numbers(4, 1.5F);
  const plimsoll::Tensor x = plimsoll::constant(numbers, {2, 2});
  return plimsoll::sum(x, {0, 1}).item() == 6 ? 0 : 1;
}
CODE
}

a_project_need_not_ask_for_a_standard() {
  write_program "$scratch/project"
  cat >"$scratch/project/CMakeLists.txt" <<'CODE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(plimsoll 0.1 REQUIRED)
add_executable(user main.cc)
target_link_libraries(user plimsoll::plimsoll)
CODE
  quietly cmake -S "$scratch/project" -B "$scratch/project/build" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix"
  quietly cmake --build "$scratch/project/build"
  quietly "$scratch/project/build/user"
}

pkg_config_is_enough_to_compile() {
  local flags
  write_program "$scratch/pkg_config"
  flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name plimsoll.pc)") pkg-config --cflags --libs plimsoll)
  # shellcheck disable=SC2086 # the flags are words
  quietly g++ "$scratch/pkg_config/main.cc" $flags -o "$scratch/pkg_config/main"
  quietly "$scratch/pkg_config/main"
}

the_manual_page_has_no_warnings() {
  local page=$scratch/prefix/share/man/man1/plimsoll.1
  LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l "$page" >"$scratch/page" 2>"$scratch/warnings" </dev/null
  [[ ! -s $scratch/warnings ]] || fail "plimsoll.1: $(cat "$scratch/warnings")"
  grep -E '^ +--validation-split F' "$scratch/page" >/dev/null || fail "plimsoll.1 lacks an option of train"
  grep -E '^EXIT STATUS' "$scratch/page" >/dev/null || fail "plimsoll.1 lacks the exit codes"
}

# What a person types is sent to an interactive bash on a terminal, tabs and all.
bash_completes_commands_options_and_values() {
  local script=$scratch/prefix/share/bash-completion/completions/plimsoll
  quietly shellcheck -s bash "$script"
  printf 'plimsoll() { echo "ran: $*"; }\nsource %q\n' "$script" >"$scratch/bashrc"
  printf 'plimsoll summ\t model.keras --js\t\nplimsoll train --on-bad-record rep\t\nexit\n' |
    INPUTRC=/dev/null script -qec "bash --noprofile --rcfile $scratch/bashrc -i" /dev/null >"$scratch/typed"
  grep 'ran: summary model.keras --json' "$scratch/typed" >/dev/null ||
    fail "bash did not complete a command and an option: $(cat "$scratch/typed")"
  grep 'ran: train --on-bad-record repair' "$scratch/typed" >/dev/null ||
    fail "bash did not complete a value: $(cat "$scratch/typed")"
}

# The packages are unpacked by dpkg into a root of their own; its program runs with the system's libraries.
debian_packages_install_and_run() {
  local root=$scratch/root program development
  quietly cpack --config "$build/CPackConfig.cmake" -B "$scratch/packages"
  program=$(compgen -G "$scratch/packages/plimsoll_*.deb") || fail "there is no package plimsoll"
  development=$(compgen -G "$scratch/packages/libplimsoll-dev_*.deb") || fail "there is no package libplimsoll-dev"
  [[ $(dpkg-deb -f "$program" Depends) == *libdnnl*libpng* ]] ||
    fail "the package plimsoll depends on '$(dpkg-deb -f "$program" Depends)'"
  [[ $(dpkg-deb -f "$development" Depends) == *libdnnl-dev*libxxhash-dev* ]] ||
    fail "the package libplimsoll-dev depends on '$(dpkg-deb -f "$development" Depends)'"
  mkdir -p "$root/var/lib/dpkg/"{updates,info}
  touch "$root/var/lib/dpkg/status"
  quietly dpkg --root="$root" --force-depends --force-not-root --log=/dev/null -i "$program" "$development"
  (cd "$root/usr" && ls bin/plimsoll share/man/man1/plimsoll.1* share/bash-completion/completions/plimsoll \
    include/plimsoll/plimsoll.h lib/libplimsoll.a lib/pkgconfig/plimsoll.pc lib/cmake/plimsoll) >"$scratch/log" 2>&1 ||
    fail "the packages lack a file: $(cat "$scratch/log")"
  [[ $("$root/usr/bin/plimsoll" --version) == "plimsoll $(dpkg-deb -f "$program" Version)" ]] ||
    fail "the packaged program is not of the version of its package"
}
