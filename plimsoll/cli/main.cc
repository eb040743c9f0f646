#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/command_list.h"

namespace plimsoll::cli {
namespace {

void print_help() {
  std::printf(
      "plimsoll trains neural networks in the memory it is given.\n\n"
      "Usage: plimsoll COMMAND [OPTIONS]\n\nCommands:\n");
  for (const Command& command : commands())
    std::printf("  %-12.*s%.*s\n", static_cast<int>(command.name.size()), command.name.data(),
                static_cast<int>(command.what.size()), command.what.data());
  std::printf("  %-12s%s\n  %-12s%s\n\n", "help", "this page", "--version", "the version");
  std::printf("'plimsoll COMMAND --help' tells a command's options.\n");
}

// One sentence on standard error, and the exit code.
int fail(const std::string& sentence, ExitCode code) {
  std::fprintf(stderr, "plimsoll: %s\n", sentence.c_str());
  return code;
}

int run(const Command& command, Arguments arguments) {
  try {
    return command.run(arguments);
  } catch (const DoesNotFit& error) {
    return fail(error.what(), kDoesNotFit);
  } catch (const std::bad_alloc&) {
    return fail("the system has no more memory to give", kDoesNotFit);
  } catch (const NotFinite& error) {
    return fail(error.what(), kNotFinite);
  } catch (const InvalidArgument& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const CorruptFile& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const IoError& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(), kInternalError);
  }
}

int main(Arguments arguments) {
  const std::string_view name = arguments.empty() ? "" : arguments[0];
  if (name == "help" || name == "--help" || name == "-h") {
    print_help();
    return kDone;
  }
  if (name == "--version") {
    std::printf("plimsoll %s\n", PLIMSOLL_VERSION);
    return kDone;
  }
  if (name.empty()) {
    print_help();
    return kWrongUsage;
  }
  const auto found = std::find_if(commands().begin(), commands().end(),
                                  [&](const Command& command) { return command.name == name; });
  if (found == commands().end())
    return fail("unknown command '" + std::string(name) + "'; 'plimsoll help' lists them",
                kWrongUsage);
  return run(*found, arguments.subspan(1));
}

}  // namespace
}  // namespace plimsoll::cli

int main(int argc, char** argv) {
  return plimsoll::cli::main({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
}
