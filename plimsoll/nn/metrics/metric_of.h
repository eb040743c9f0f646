// What the metrics' own files share.
#pragma once

#include <string>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

// "auc", then "auc_1", …
std::string automatic_metric_name(std::string_view class_name);
// Keras's dtype of a metric. It is written as float32, and what is read has no effect.
Fields& with_float_dtype(Fields& fields);

// A body that is described by options, as LayerOf.
template <class Options>
class MetricOf : public MetricBody {
 public:
  MetricOf(std::string_view class_name, const Options& options)
      : MetricBody(name_of(class_name, options.name)), options_(options), class_name_(class_name) {}
  std::string_view class_name() const override { return class_name_; }
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    copy.name = name();
    describe(fields, copy);
  }

 protected:
  Options options_;

 private:
  static std::string name_of(std::string_view class_name, const std::string& name) {
    return name.empty() ? automatic_metric_name(class_name) : name;
  }

  std::string_view class_name_;
};

// The keys that every metric has, which come before its own.
template <class Options>
Fields& describe_metric(Fields& fields, Options& options) {
  fields.with("name", options.name);
  return with_float_dtype(fields);
}

}  // namespace plimsoll
