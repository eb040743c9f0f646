// The encoding of a table that is opened: that of the trained model, or one that is learnt.
#pragma once

#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/kinds/data_kind.h"
#include "plimsoll/data/kinds/table_columns.h"
#include "plimsoll/data/sources/table_cells.h"

namespace plimsoll {

// True if the table's cells become numbers by an encoding.
bool is_encoded(const DataRequest& request);

// options.encoding; else the encoding that the request's schema has; else one that is learnt from
// the records that options.encoding_records chooses, as options.encode says. What a person should
// know of the table is announced. InvalidArgument where options.encode is not for this model: it
// was trained with an encoding of its own, or with none.
TableEncodingPtr encoding_for(const DataRequest& request, const TableColumns& columns,
                              const TableCells& cells);

// Of the columns of inputs that the encoding has, announces what training did not have. For sources
// that do not say it themselves.
void announce_new_cells(const DataRequest& request, const TableColumns& columns,
                        const TableEncoding& encoding, const TableCells& cells);

// Takes the columns that the encoding leaves out away from the inputs. InvalidArgument where an
// input of the model has no other, or takes another number of numbers than its columns become: the
// sentence has the numbers of each.
void use_encoding(const DataRequest& request, const TableEncoding& encoding, TableColumns& columns);

// Adds it to what a model remembers of its table.
void remember_encoding(const TableEncoding& encoding, TableSchema& schema);

// The fields as a check without a model reads them: as the numbers that a model would get.
DataToCheck encoded_to_check(const DataRequest& request, const NamedFields& fields);

}  // namespace plimsoll
