// The names of classes that all text targets of a table share.
#pragma once

#include <string>
#include <vector>

namespace plimsoll {

// Makes `found`, the classes of the target `column`, those of the table. InvalidArgument, beginning
// with `path`, where another target has made others: a source, and a model, has one list.
void share_classes(const std::string& path, const std::string& column,
                   const std::vector<std::string>& found, std::vector<std::string>& shared);

}  // namespace plimsoll
