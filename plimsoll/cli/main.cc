#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/stop_signals.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/kernels/vector_target.h"

namespace plimsoll::cli {
namespace {

void print_help() {
  std::printf(
      "plimsoll trains Keras models in the memory it is given: their peak is known before the\n"
      "first step, and data of any size is read as it is needed.\n\n"
      "Usage: plimsoll COMMAND [OPTIONS]\n\nCommands:\n");
  for (const Command& command : commands())
    std::printf("  %-12.*s%.*s\n", static_cast<int>(command.name.size()), command.name.data(),
                static_cast<int>(command.what.size()), command.what.data());
  std::printf("  %-12s%s\n  %-12s%s\n\n", "help", "this page, or the page of a command",
              "--version", "the version");
  std::printf(
      "In Python, model.save(\"model.keras\") and np.savez(\"data.npz\", x=x, y=y); then\n\n"
      "  plimsoll plan model.keras --batch-size 64\n"
      "  plimsoll train model.keras data.npz --out run --epochs 10 --memory 2GiB\n\n"
      "and in Python again keras.saving.load_model(\"run/model.keras\").\n\n"
      "'plimsoll COMMAND --help' tells a command's options.\n");
}

// One sentence on standard error, and the exit code.
int fail(const std::string& sentence, int code) {
  std::fprintf(stderr, "plimsoll: %s\n", sentence.c_str());
  return code;
}

int run(const Command& command, Arguments arguments) {
  try {
    return command.run(arguments);
  } catch (const WrongUsage& error) {
    return fail(std::string(error.what()) + "; 'plimsoll " + std::string(command.name) +
                    " --help' tells more",
                kWrongUsage);
  } catch (const Stopped& error) {
    return fail(error.what(), kSignal + error.signal());
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

const Command* find(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

int main(Arguments arguments) {
  const std::string_view name = arguments.empty() ? "" : arguments[0];
  if (name == "--version") {
    std::printf("plimsoll %s\n", PLIMSOLL_VERSION);
    return kDone;
  }
  const bool is_help = name == "help" || name == "--help" || name == "-h";
  if (name.empty() || (is_help && arguments.size() == 1)) {
    print_help();
    return name.empty() ? kWrongUsage : kDone;
  }
  const std::string_view wanted = is_help ? arguments[1] : name;
  const Command* command = find(wanted);
  if (command == nullptr)
    return fail("unknown command '" + std::string(wanted) + "'; 'plimsoll help' lists them",
                kWrongUsage);
  try {
    kernels::limit_vector_target();
  } catch (const InvalidArgument& error) {
    return fail(error.what(), kWrongUsage);
  }
  static constexpr const char* kHelp[] = {"--help"};
  return run(*command, is_help ? Arguments(kHelp) : arguments.subspan(1));
}

}  // namespace
}  // namespace plimsoll::cli

int main(int argc, char** argv) {
  return plimsoll::cli::main({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
}
