#include "plimsoll/cli/saving_arguments.h"

#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {

void add_saving(CLI::App& app, SavingArguments& into, const std::string& what) {
  SavingOptions& saving = into.saving;
  app.add_option("--memory", into.memory, what)->option_text("SIZE")->check(size());
  auto* forced =
      app.add_option("--micro-batch", saving.micro_batch,
                     "run each batch in parts of at most N samples; the result is the whole "
                     "batch's (default: where the memory asks for it)")
          ->option_text("N")
          ->check(count());
  const auto forbid = [&](const char* name, bool& allowed, const char* help) {
    return app.add_flag_callback(
        name, [&allowed] { allowed = false; }, help);
  };
  forbid("--no-micro-batches", saving.micro_batches, "never run a batch in parts")
      ->excludes(forced);
  forbid("--no-recompute", saving.recompute, "never compute a value again instead of keeping it");
  forbid("--no-spill", saving.spill,
         "never put values into a file (in TMPDIR, or else /var/tmp) until they are needed again");
  forbid("--no-early-updates", saving.early_updates,
         "never update a weight before all gradients are there");
  forbid("--no-sequence-parts", saving.sequence_parts,
         "never run recurrent layers in parts of their sequence");
  app.add_flag("--allow-batch-statistics-per-part", saving.batch_statistics_per_part,
               "parts of a batch may be normalised by statistics of their own; the result is not "
               "the whole batch's");
}

}  // namespace plimsoll::cli
