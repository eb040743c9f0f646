// Any bytes are either the schema of a table, which is then written and read again as the same, or
// a CorruptFile.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/table_schema.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const plimsoll::TableSchema schema =
        plimsoll::table_schema({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!(plimsoll::table_schema(plimsoll::to_json(schema), "fuzz") == schema)) std::abort();
  } catch (const plimsoll::CorruptFile&) {
  }
  return 0;
}
