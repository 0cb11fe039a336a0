// The baseline that needs no library: varint-delimited readings to NDJSON, parsed and printed by hand, one thread, input and
// output in blocks. It prints what `decode` does, except for bytes that are not UTF-8, and its time as peak.cjs does.
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

using Bytes = std::string_view;
static std::string out;

struct Field { unsigned number; uint64_t value; Bytes bytes; };

static uint64_t varint(const char*& at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const uint64_t byte = static_cast<unsigned char>(*at++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

static Field next(Bytes& rest) {
  const char* at = rest.data();
  const uint64_t tag = varint(at);
  Field field{static_cast<unsigned>(tag >> 3), 0, {}};
  if ((tag & 7) == 0) field.value = varint(at);
  else if ((tag & 7) == 1) { std::memcpy(&field.value, at, 8); at += 8; }
  else { const uint64_t size = varint(at); field.bytes = Bytes(at, size); at += size; }
  rest.remove_prefix(at - rest.data());
  return field;
}

template <class Each> static void each(Bytes rest, Each read) { while (!rest.empty()) read(next(rest)); }

static void text(Bytes value) {
  static const char hex[] = "0123456789abcdef";
  out += '"';
  for (const char one : value) {
    if (one == '"' || one == '\\') { out += '\\'; out += one; }
    else if (static_cast<unsigned char>(one) < 0x20) { out += "\\u00"; out += hex[one >> 4]; out += hex[one & 15]; }
    else out += one;
  }
  out += '"';
}

template <class Number> static void number(Number value) {
  char digits[40];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

static void real(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  if (std::isfinite(value)) number(value);
  else out += std::isnan(value) ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
}

static void fraction(unsigned nanos) {
  if (nanos == 0) return;
  char digits[16];
  const int size = nanos % 1000000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9;
  std::snprintf(digits, sizeof digits, ".%09u", nanos);
  out.append(digits, size + 1);
}

static void two(unsigned value) { out += static_cast<char>('0' + value / 10); out += static_cast<char>('0' + value % 10); }

// Howard Hinnant's days to date; the last second is kept, as by a careful programmer.
static void instant(int64_t seconds, unsigned nanos) {
  static int64_t last = -1;
  static std::string shown;
  if (seconds != last) {
    const size_t begin = out.size();
    const int64_t z = seconds / 86400 + 719468, era = z / 146097;
    const unsigned doe = z - era * 146097, yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153, of = seconds % 86400;
    number(yoe + era * 400 + (mp >= 10)); out += '-'; two(mp < 10 ? mp + 3 : mp - 9); out += '-'; two(doy - (153 * mp + 2) / 5 + 1);
    out += 'T'; two(of / 3600); out += ':'; two(of / 60 % 60); out += ':'; two(of % 60);
    last = seconds;
    shown = out.substr(begin);
  } else out += shown;
  fraction(nanos);
  out += 'Z';
}

static void value(Bytes bytes, const char* const* names, bool isMetadata) {
  out += '{';
  each(bytes, [&](const Field& field) {
    text(names[field.number]);
    out += ':';
    const bool isReal = field.number == (isMetadata ? 4 : 2), isSigned = field.number == (isMetadata ? 2 : 3);
    if (isMetadata && field.number == 1) text(field.bytes);
    else if (isMetadata && field.number == 5) out += field.value ? "true" : "false";
    else if (isReal) real(field.value);
    else { out += '"'; isSigned ? number(static_cast<int64_t>(field.value)) : number(field.value); out += '"'; }
  });
  out += '}';
}

static void reading(Bytes bytes) {
  static const char* const kinds[] = {"", "counter", "gauge", "derive", "absolute"};
  static const char* const metadata[] = {"", "string_value", "int64_value", "uint64_value", "double_value", "bool_value"};
  static const char* const parts[] = {"", "host", "plugin", "plugin_instance", "type", "type_instance"};
  unsigned last = 0;
  out += '{';
  each(bytes, [&](const Field& field) {
    static const char* const heads[] = {"", "\"values\":[", "\"time\":\"", "\"interval\":\"", "\"identifier\":{", "\"ds_names\":[", "\"meta_data\":{"};
    if (field.number == last) out += ',';
    else {
      if (last == 1 || last == 5) out += ']';
      if (last > 0) out += ',';
      out += heads[field.number];
    }
    last = field.number;
    int64_t seconds = 0;
    unsigned nanos = 0;
    if (field.number == 2 || field.number == 3)
      each(field.bytes, [&](const Field& one) { one.number == 1 ? seconds = one.value : nanos = one.value; });
    bool isFirst = true;
    switch (field.number) {
      case 1: value(field.bytes, kinds, false); break;
      case 2: instant(seconds, nanos); out += '"'; break;
      case 3: number(seconds); fraction(nanos); out += "s\""; break;
      case 4:
        each(field.bytes, [&](const Field& one) {
          if (!isFirst) out += ',';
          isFirst = false;
          text(parts[one.number]); out += ':'; text(one.bytes);
        });
        out += '}';
        break;
      case 5: text(field.bytes); break;
      case 6: each(field.bytes, [&](const Field& one) { if (one.number == 1) { text(one.bytes); out += ':'; } else value(one.bytes, metadata, true); });
    }
  });
  if (last == 1 || last == 5) out += ']';
  if (last == 6) out += '}';
  out += "}\n";
}

int main(int argc, char** argv) {
  std::FILE* file = argc < 2 ? nullptr : std::fopen(argv[1], "rb");
  if (file == nullptr) return 2;
  std::vector<char> block(1 << 20);
  size_t held = 0;
  for (size_t got; (got = std::fread(block.data() + held, 1, block.size() - held, file)) > 0;) {
    const char* at = block.data();
    const char* end = at + held + got;
    while (end - at > 10 || std::feof(file)) {
      const char* begin = at;
      if (begin == end) break;
      const uint64_t size = varint(begin);
      if (static_cast<uint64_t>(end - begin) < size) break;
      reading(Bytes(begin, size));
      at = begin + size;
      if (out.size() > (1 << 18)) { std::fwrite(out.data(), 1, out.size(), stdout); out.clear(); }
    }
    held = end - at;
    std::memmove(block.data(), at, held);
  }
  // The end of the file is known only after what was read last.
  for (const char *at = block.data(), *end = at + held; at < end;) { const uint64_t size = varint(at); reading(Bytes(at, size)); at += size; }
  std::fwrite(out.data(), 1, out.size(), stdout);
  rusage used;
  getrusage(RUSAGE_SELF, &used);
  const auto milliseconds = [](const timeval& time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
  std::fprintf(stderr, "peak %ld\ncpu %ld\n", used.ru_maxrss, milliseconds(used.ru_utime) + milliseconds(used.ru_stime));
}
