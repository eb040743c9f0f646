// plimsoll completion: the script by which bash completes commands, options and values, written
// from the definitions of the commands.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "plimsoll/cli/describe_command.h"
#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kHead = R"(# Completion for bash, written by 'plimsoll completion bash'.
_plimsoll() {{
  local commands="{}" options="" values="" takes=files
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
  # bash makes a word of its own of the = in --option=value.
  [[ $current != = ]] || current=""
  [[ $previous != = ]] || previous=${{COMP_WORDS[COMP_CWORD-2]}}
  if ((COMP_CWORD == 1)) || [[ ${{COMP_WORDS[1]}} == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands help --version" -- "$current")
    return
  fi
  case ${{COMP_WORDS[1]}} in
)";

// An empty COMPREPLY makes bash complete names of files, unless that is switched off.
constexpr const char* kTail = R"(  esac
  COMPREPLY=()
  if [[ $takes == words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
  elif [[ $takes == none ]]; then
    compopt +o default 2>/dev/null
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
  fi
}
complete -o default -F _plimsoll plimsoll
)";

}  // namespace

int completion(Arguments arguments) {
  CLI::App app("Prints the completion script of a shell.", "plimsoll completion");
  std::string shell;
  app.add_option("SHELL", shell, "the shell: bash")->required()->check(CLI::IsMember({"bash"}));
  app.footer("Example:\n\n  source <(plimsoll completion bash)\n");
  if (!parse(app, arguments)) return kDone;
  std::string names;
  for (const Command& command : commands())
    if (!command.hidden) names += (names.empty() ? "" : " ") + std::string(command.name);
  fmt::print(kHead, names);
  static constexpr const char* kBranch[] = {kAsCompletion};
  for (const Command& command : commands())
    if (!command.hidden) command.run(Arguments(kBranch));
  fmt::print("{}", kTail);
  return kDone;
}

}  // namespace plimsoll::cli
