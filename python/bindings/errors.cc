// The errors of the engine as Python's: plimsoll.errors has the classes.
#include "plimsoll/base/error.h"

#include <string>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/engine/numbers/first_bad.h"
#include "python/bindings/bind.h"
#include "python/bindings/callback.h"
#include "python/bindings/python_words.h"

namespace plimsoll::python {
namespace {

// The module is imported when the first error comes, which is after the package is there.
void raise(const char* class_name, const char* what) {
  const nb::object type = nb::module_::import_("plimsoll.errors").attr(class_name);
  PyErr_SetString(type.ptr(), in_python_words(what).c_str());
}

nb::object text_or_none(const std::string& text) {
  return text.empty() ? nb::none() : nb::object(nb::str(text.c_str(), text.size()));
}

// With where it began as attributes.
void raise(const NotFiniteStep& error) {
  const nb::object type = nb::module_::import_("plimsoll.errors").attr("NotFinite");
  const nb::object raised = type(in_python_words(error.what()));
  const FirstBad& first = error.first();
  raised.attr("operation") = text_or_none(first.op);
  raised.attr("gradient_of") = text_or_none(first.gradient_of);
  raised.attr("layer") = text_or_none(first.layer);
  raised.attr("weight") = text_or_none(first.name);
  nb::list records;
  for (const std::string& record : error.records()) records.append(text_or_none(record));
  raised.attr("records") = records;
  if (first.where.is_in_program()) {
    raised.attr("file") = nb::str(first.where.file);
    raised.attr("line") = first.where.line;
  }
  PyErr_SetObject(type.ptr(), raised.ptr());
}

// Python's error knows its exit code.
void raise(const Stopped& error) {
  const nb::object type = nb::module_::import_("plimsoll.errors").attr("Stopped");
  PyErr_SetObject(type.ptr(), type(error.what(), error.signal()).ptr());
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (StoppedBySignal& e) {
    e.error.restore();
  } catch (const Stopped& e) {
    raise(e);
  } catch (const OutOfTime& e) {
    raise("OutOfTime", e.what());
  } catch (const InvalidArgument& e) {
    raise("InvalidArgument", e.what());
  } catch (const DoesNotFit& e) {
    raise("DoesNotFit", e.what());
  } catch (const NotFiniteStep& e) {
    raise(e);
  } catch (const NotFinite& e) {
    raise("NotFinite", e.what());
  } catch (const CorruptFile& e) {
    raise("CorruptFile", e.what());
  } catch (const IoError& e) {
    raise("IoError", e.what());
  } catch (const Error& e) {
    raise("Error", e.what());
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::register_exception_translator(translate);
  module.def("in_python_words", [](const std::string& text) { return in_python_words(text); });
}

}  // namespace plimsoll::python
