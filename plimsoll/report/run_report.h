// RunReport: all that the page of a run shows, as plain values. What could not be had says why.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/record/run_story.h"

namespace plimsoll {

// A part of a page, or the sentence that says why it is not there.
template <class T>
struct Part {
  std::optional<T> value = {};
  std::string missing = {};
};

struct ReportedLayer {
  std::string name = {}, kind = {}, shape = {};
  int64_t parameters = 0;
  std::vector<std::string> inputs = {};  // layers; none in a sequence
};

struct ReportedModel {
  std::string name = {}, file = {};
  int64_t parameters = 0;
  std::vector<ReportedLayer> layers = {};
};

// What the planner says of a budget.
struct PlannedBudget {
  int64_t budget_bytes = 0;  // 0: as much as it takes if nothing is saved
  int64_t peak_bytes = 0, arena_bytes = 0;
  double step_seconds = 0;
  bool fits = true;
  std::string saving = {};  // how it is made to fit; empty: nothing is saved
};

struct QuarantinedRecord {
  std::string path = {}, reason = {}, detail = {};
  int64_t epoch = 0;
  std::string thumbnail = {};  // a data: address; empty: there is none
};

struct Quarantine {
  int64_t count = 0;
  std::map<std::string, int64_t> reasons = {};
  std::vector<QuarantinedRecord> first = {};  // some of them
};

// A record for which the model is most wrong.
struct WorstRecord {
  std::string name = {}, actual = {}, predicted = {};
  double error = 0;  // what `error_name` of the predictions says
  std::string thumbnail = {};
  std::vector<std::pair<std::string, double>> values = {};  // of a table
};

// The saved model on the validation data.
struct SeenPredictions {
  std::string model = {}, error_name = {};
  int64_t records = 0, of = 0;  // that were looked at, of all
  int64_t left_out = 0;         // that could not be used
  std::vector<std::string> classes = {};
  std::vector<int64_t> confusion = {};                 // classes², by the actual class
  std::vector<std::pair<double, double>> points = {};  // actual and predicted, where it is a number
  std::vector<WorstRecord> worst = {};
};

struct ClassBalance {
  std::vector<std::string> classes = {};
  std::vector<int64_t> counts = {};
  int64_t looked_at = 0, records = 0;
};

struct ReportedCause {
  std::string cause = {}, severity = {}, what = {}, remedy = {}, option = {}, where = {};
  double confidence = 0;
};

struct ReportedDiagnosis {
  std::string verdict = {};
  std::string how = {};  // what was looked at; empty: all there is
  std::optional<double> skill = {};
  std::vector<ReportedCause> causes = {};
};

struct KeptFile {
  std::string name = {};
  int64_t bytes = 0;
};

struct RunReport {
  std::string name = {};  // of the folder
  RunStory story = {};
  std::string run_json = {};         // the text of run.json
  Part<std::string> picture = {};    // the text of plan.json
  Part<std::string> profile = {};    // the text of profile.json
  std::vector<KeptFile> files = {};  // checkpoints too
  Part<Quarantine> quarantine = {};
  Part<ReportedModel> model = {};
  Part<std::vector<PlannedBudget>> budgets = {};
  Part<SeenPredictions> predictions = {};
  Part<ClassBalance> balance = {};
  Part<ReportedDiagnosis> diagnosis = {};
};

}  // namespace plimsoll
