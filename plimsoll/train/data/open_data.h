// Opens data that a person names, a file or a folder, as the inputs and targets of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/kinds/find_data.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

struct OpenedData {
  const DataKind* kind;
  Dataset data;             // its schema has the columns of a table; no inputs for other data
  bool are_images = false;  // each record is an image file
  bool is_shuffled_to_split = false;     // see DataKind
  std::vector<std::string> inputs = {};  // of the model, by name
};

// What find_data() finds at `path`, opened as its kind says (data/kinds), for this model: fields
// are chosen by the names of its inputs and outputs, images get its sizes, labels are written as
// its loss takes them. The columns of a table are those of options.schema (schema_beside() reads
// it), so that their order does not matter. InvalidArgument, naming the file, where it lacks what
// the model needs, or where the model does not say what its inputs are.
OpenedData open_data(const std::string& path, const Model& model, const DataOptions& options = {});

// Writes what is known of the columns and the classes of the data beside a model that was trained
// on it: data.json and classes.json in the folder of `model_path`, for schema_beside() and
// classes_beside() and for the commands. `repair_values` are those of the History, so that new rows
// are repaired with the same numbers. Data without columns, or without names of classes, leaves
// that file as it is. A run that fit keeps (FitOptions::run) has these files already. IoError where
// a file cannot be written.
void save_schema(const OpenedData& opened, const std::string& model_path,
                 const ColumnValues& repair_values = {});

// Of a Sequential that has seen no data: none.
std::vector<std::string> input_names(const Model& model);

// The schema with what the repair of each of these inputs has learnt.
TableSchema with_repair(TableSchema schema, const std::vector<std::string>& inputs,
                        const ColumnValues& repair_values);

// A note that the columns of the table are the numbers of the model's input by their places; none
// where their names decided.
std::optional<Finding> about_places(const OpenedData& opened, const std::string& path,
                                    const DataOptions& options);

// What a model asks of data that was found.
DataRequest request_for(const Model& model, const std::string& path, const FoundData& found,
                        const DataOptions& options);

// The data as a check reads it, with what is expected of its fields: for a model as open_data()
// opens it, else as it is. A table is read with its bad records.
DataToCheck open_to_check(const std::string& path, const Model* model, const DataOptions& options);

}  // namespace plimsoll
