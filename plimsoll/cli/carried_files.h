// CarriedFiles: what lies beside a model and belongs to it, data.json and classes.json, on its way
// to a copy of the model in another folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/findings.h"
#include "plimsoll/formats/tables/table_schema.h"

namespace plimsoll::cli {

class CarriedFiles {
 public:
  // From beside the one model to beside the other. WrongUsage where files of these names that say
  // something else are there: they are those of another model. If there is nothing to carry, but
  // files are there that the copy would be read with, a warning says so.
  CarriedFiles(const std::string& from, std::string to, Findings& findings);

  // Writes them, and returns their paths. IoError where a file cannot be written.
  std::vector<std::string> write() const;

 private:
  std::string to_;
  std::optional<TableSchema> schema_ = {};
  std::vector<std::string> classes_ = {};
};

}  // namespace plimsoll::cli
