// RunIdentity: what the result of a run depends on. A run goes on from a checkpoint only as the
// same run, so what has changed since must be found.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/data/source.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

// Settings by name, as texts that a person understands.
using RunIdentity = std::map<std::string, std::string>;

// Adds what describes data: its size, its fields, and hashes of the names of the records, of their
// files where the source knows something of these, and of the contents of some records, spread over
// all of it. Of a stream only its fields are known. Names begin with `what`.
void describe_data(RunIdentity& identity, const std::string& what, const Source& source);
// The same of all buckets.
void describe_data(RunIdentity& identity, const std::string& what, const Dataset& data);
// Adds the layers, the optimizer and the losses of a model, but not the values of its weights.
void describe_model(RunIdentity& identity, const Model& model);

// Adds the options of fit that decide what is learnt.
void describe_options(RunIdentity& identity, const FitOptions& options);

void save_identity(StateWriter& to, const RunIdentity& identity);
// One text per difference: "batch_size was 32 and is 64".
std::vector<std::string> changes_since(const StateReader& from, const RunIdentity& identity);

// InvalidArgument, which begins with the run's folder, where something changed and that is not
// allowed; what is allowed is reported as a finding.
void report_changes(const std::string& run, const std::vector<std::string>& changes,
                    bool are_allowed);

}  // namespace plimsoll
