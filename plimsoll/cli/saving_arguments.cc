#include "plimsoll/cli/saving_arguments.h"

#include "plimsoll/cli/parse.h"

namespace plimsoll::cli {

void add_memory(CLI::App& app, std::string& memory, const std::string& what) {
  app.add_option("--memory", memory,
                 what +
                     "; SIZE is 512M or 512MiB, 2G or 2GiB (powers of 1024), 200MB or 2GB (powers "
                     "of 1000), or 75% of what the machine gives")
      ->option_text("SIZE")
      ->check(size());
}

void add_saving(CLI::App& app, SavingArguments& into, const std::string& what) {
  SavingOptions& saving = into.saving;
  add_memory(app, into.memory, what);
  auto* forced =
      app.add_option(
             "--micro-batch", saving.micro_batch,
             "run each batch in parts of at most N samples, with the result of the whole batch "
             "(default: only if memory is short)")
          ->option_text("N")
          ->check(count());
  const auto forbid = [&](const char* name, bool& allowed, const char* help) {
    return app.add_flag_callback(
        name, [&allowed] { allowed = false; }, help);
  };
  forbid("--no-micro-batches", saving.micro_batches, "never run a batch in parts")
      ->excludes(forced);
  forbid("--no-recompute", saving.recompute, "never compute a value twice to save memory");
  forbid("--no-spill", saving.spill,
         "never move values to a temporary file (in TMPDIR, or else /var/tmp) to save memory");
  forbid("--no-early-updates", saving.early_updates,
         "never update a weight before all gradients are computed");
  forbid("--no-sequence-parts", saving.sequence_parts,
         "never run recurrent layers in parts of their sequence");
  app.add_flag(
      "--allow-batch-statistics-per-part", saving.batch_statistics_per_part,
      "let batch normalisation use the statistics of each part of a batch; the result then "
      "differs from the whole batch's");
}

}  // namespace plimsoll::cli
