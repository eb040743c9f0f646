// Rule: one thing that may be wrong with a training. A rule reads a TrainingCase and says how
// strongly it suspects its cause; which cause comes first is decided by all of them together
// (diagnosis.h). To add one, write a file in rules/ and a row in rule_list.cc.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/symptoms.h"

namespace plimsoll {

// A number that a rule compares with; a user may change it.
struct Threshold {
  std::string_view name;
  double value;
  std::string_view what;
};

struct Suspicion {
  std::string_view cause;
  // From 0 to 1: of trainings with this evidence, about how many are spoiled by this cause.
  double strength = 0;
  std::string what = {};  // the evidence in words
  std::vector<std::pair<std::string, double>> evidence = {};
  std::string remedy = {};  // in words
  // Of the command, or the line of Python, that applies it; empty where none is known to help.
  std::string option = {};
  std::string layer = {}, op = {}, record = {}, line = {};
};
using Suspicions = std::vector<Suspicion>;

// Thresholds by their names.
class Limits {
 public:
  // With some that are not the rules' own. InvalidArgument where a name is not known.
  explicit Limits(const std::map<std::string, double>& changed = {});
  double operator()(std::string_view name) const;

 private:
  std::map<std::string, double, std::less<>> values_;
};

// What a rule looks at.
struct Patient {
  const TrainingCase& of;
  const Symptoms& symptoms;
  const Limits& limits;

  const ModelFacts& model() const { return of.model; }
  // The only output and its targets; null where there are several, or no data. A look at an output
  // has one.
  const OutputFacts* output() const;
  const TargetFacts* target() const;
  // True if it makes the numbers of an output.
  bool is_last(const LayerFacts& layer) const;
  const RunStory* run() const { return of.run ? &*of.run : nullptr; }
  // A suspicion that a run which has learnt well speaks against: `rest` of it stays where all was
  // learnt that there is. Before any run it is what it is.
  double unless_learnt(double strength, double rest = 0.25) const;
  // The run had too few steps for what it has not learnt to be a sign of anything.
  bool has_just_begun() const;
};

struct Rule {
  std::string_view cause;
  std::string_view reads;  // "model, data": what must be there for it to say anything
  std::vector<Threshold> thresholds;
  using Look = void (*)(const Patient& patient, Suspicions& into);
  Look look = nullptr;  // at the training; null: at its outputs alone
  // At an output with its targets. Of several outputs each is a patient of its own
  // (case_of_output.h), and the strongest suspicion counts.
  Look look_at_output = nullptr;
};

// Every rule.
std::span<const Rule> rules();

// "0.001"; as short as it can be.
std::string short_number(double value);

}  // namespace plimsoll
