"use strict";
// Numbers as people read them.

// Files say numbers that are not finite by their names ("nan"), and may say anything else.
function number(value) {
  if (typeof value === "string") return value;
  if (typeof value !== "number" || !Number.isFinite(value)) return "not finite";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return value.toLocaleString("en-US");
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(3).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}

function bytes(value) {
  if (typeof value !== "number") return number(value);
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) { value /= 1024; ++unit; }
  return (unit === 0 ? String(value) : value.toFixed(1)) + " " + units[unit];
}

// The largest unit that leaves at least 1.
function byteUnit(value) { return value < 1024 ? 1 : Math.pow(1024, Math.floor(Math.log2(value) / 10)); }

function seconds(value) {
  if (typeof value !== "number") return number(value);
  if (value < 1e-3) return number(value * 1e6) + " µs";
  if (value < 1) return number(value * 1e3) + " ms";
  if (value < 60) return number(value) + " s";
  const whole = Math.round(value);
  if (whole < 3600) return Math.floor(whole / 60) + " min " + (whole % 60) + " s";
  return Math.floor(whole / 3600) + " h " + Math.floor(whole / 60) % 60 + " min";
}

function percent(share) {
  if (typeof share !== "number") return number(share);
  if (Math.abs(share) < 0.00005) return "0%";
  return (100 * share).toFixed(share > 0 && share < 0.01 ? 2 : share < 0.1 ? 1 : 0) + "%";
}

function plural(count, one, many) { return number(count) + " " + (count === 1 ? one : many || one + "s"); }
