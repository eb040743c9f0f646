// Reports: one HTML file about a run, or about several, that needs nothing else.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct ReportOptions {
  // The data of the run: plimsoll report opens it as the run did. The model is run on the records
  // of `validation`; `training` shows the classes. Without, the page says that they are missing.
  Dataset training = {}, validation = {};
  std::vector<std::string> class_names = {};
  ReadingOptions reading = {};
  // Why there is no data, for the page; empty: it was not given.
  std::string no_data = {};
  // False: no file is read outside of the folder of the run, pictures of quarantined records too.
  bool images = true;
  // What the doctor says (diagnose()). Without, he looks at the folder of the run, `training`, and
  // `model`: that of the run, for a program whose classes no file holds.
  std::optional<Diagnosis> diagnosis = {};
  std::optional<Model> model = {};
  // What is found in a run of a program, in the words of its language. Empty: in those of commands.
  std::function<std::string(std::string)> words = {};
  std::string no_diagnosis = {};  // why there is none, for the page
  int64_t most_records = 10'000;  // of the validation, and the seconds that this may take
  double most_seconds = 60;
};

// Writes the page about the run in a folder; docs/report.md describes it. It is whole or not there,
// and smaller than 2 MB. InvalidArgument where the folder is not that of a run, CorruptFile where
// its run.json or log.jsonl is damaged, IoError where the page cannot be written. Any other part
// that cannot be had is said on the page.
void write_report(const std::string& run, const std::string& path,
                  const ReportOptions& options = {});

// One page for several runs: their curves in one picture, and what differs between them.
// InvalidArgument unless there are two or more.
void write_comparison(const std::vector<std::string>& runs, const std::string& path);

}  // namespace plimsoll
