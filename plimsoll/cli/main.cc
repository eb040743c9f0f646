#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/base/stop_signals.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/standard_output.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/kernels/vector_target.h"

namespace plimsoll::cli {
namespace {

void print_help() {
  fmt::print("{}\nUsage: plimsoll COMMAND [OPTIONS]\n\nCommands:\n", kPurpose);
  for (const Command& command : commands())
    if (!command.hidden) fmt::print("  {:<12}{}\n", command.name, command.what);
  fmt::print("  {:<12}{}\n  {:<12}{}\n\n", "help", "show this page, or the page of a command",
             "--version", "show the version");
  fmt::print(
      "Save a model and data in Python: model.save(\"model.keras\"), np.savez(\"data.npz\", x=x, "
      "y=y).\n"
      "Then plan and train:\n\n"
      "  plimsoll plan model.keras --batch-size 64\n"
      "  plimsoll train model.keras data.npz --out run --epochs 10 --memory 2GiB\n\n"
      "Load the result in Python: keras.saving.load_model(\"run/model.keras\").\n\n"
      "'plimsoll COMMAND --help' lists the options of a command.\n");
}

// One sentence on standard error, and the exit code.
int fail(const std::string& sentence, int code) {
  print_message(sentence);
  return code;
}

int run(const Command& command, Arguments arguments) {
  try {
    return command.run(arguments);
  } catch (const WrongUsage& error) {
    return fail(fmt::format("{}; see 'plimsoll {} --help'", error.what(), command.name),
                kWrongUsage);
  } catch (const Stopped& error) {
    return fail(error.what(), kSignal + error.signal());
  } catch (const DoesNotFit& error) {
    return fail(error.what(), kDoesNotFit);
  } catch (const HeapGuard::Exhausted& error) {
    return fail("reading and planning alone take more than the " +
                    format_bytes(error.limit_bytes()) + " that this process may take",
                kDoesNotFit);
  } catch (const std::bad_alloc&) {
    return fail("the system has no memory left to give", kDoesNotFit);
  } catch (const NotFinite& error) {
    return fail(error.what(), kNotFinite);
  } catch (const InvalidArgument& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const CorruptFile& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const IoError& error) {
    return fail(error.what(), kBadModelOrData);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(fmt::format("{}: {}", error.path1().string(), error.code().message()),
                kBadModelOrData);
  } catch (const std::exception& error) {
    return fail(fmt::format("internal error: {}", error.what()), kInternalError);
  }
}

const Command* find(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found == commands().end() ? nullptr : &*found;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands())
    if (!command.hidden) names.emplace_back(command.name);
  return names;
}

int main(Arguments arguments) {
  const std::string_view name = arguments.empty() ? "" : arguments[0];
  if (name == "--version") {
    std::printf("plimsoll %s\n", PLIMSOLL_VERSION);
    return end_output(kDone, false);
  }
  const bool is_help = name == "help" || name == "--help" || name == "-h";
  if (arguments.empty() || (is_help && arguments.size() == 1)) {
    print_help();
    return end_output(arguments.empty() ? kWrongUsage : kDone, false);
  }
  const std::string_view wanted = is_help ? arguments[1] : name;
  const Command* command = find(wanted);
  if (command == nullptr)
    return fail(fmt::format("unknown command '{}'{}; 'plimsoll help' lists the commands", wanted,
                            did_you_mean(wanted, command_names())),
                kWrongUsage);
  try {
    kernels::limit_vector_target();
  } catch (const InvalidArgument& error) {
    return fail(error.what(), kWrongUsage);
  }
  static constexpr const char* kHelp[] = {"--help"};
  const Arguments own = is_help ? Arguments(kHelp) : arguments.subspan(1);
  const bool is_json = std::ranges::find(own, std::string_view("--json")) != own.end();
  return end_output(run(*command, own), command->leaves_files && !is_json);
}

}  // namespace
}  // namespace plimsoll::cli

int main(int argc, char** argv) {
  plimsoll::cli::prepare_standard_streams();
  return plimsoll::cli::main({argv + 1, static_cast<size_t>(argc > 0 ? argc - 1 : 0)});
}
