// The baseline of the decode figures: varint-delimited readings from a file to NDJSON with libprotobuf's own JSON
// printer, one thread, output in blocks. Built by bench.mjs where g++, protoc and libprotobuf are installed.
#include <cstdio>
#include <string>
#include <vector>

#include <google/protobuf/util/json_util.h>

#include "collectd/types.pb.h"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::FILE* file = std::fopen(argv[1], "rb");
  if (file == nullptr) return 2;
  std::vector<char> block(1 << 20);
  std::setvbuf(file, block.data(), _IOFBF, block.size());

  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  collectd::types::ValueList reading;
  std::string message;
  std::string text;
  std::string out;
  for (int byte = std::getc(file); byte != EOF; byte = std::getc(file)) {
    unsigned long length = byte & 0x7f;
    for (int shift = 7; byte > 0x7f; shift += 7) {
      byte = std::getc(file);
      length |= static_cast<unsigned long>(byte & 0x7f) << shift;
    }
    message.resize(length);
    if (std::fread(message.data(), 1, length, file) != length) return 1;
    if (!reading.ParseFromString(message)) return 1;
    text.clear();
    if (!google::protobuf::util::MessageToJsonString(reading, &text, options).ok()) return 1;
    out += text;
    out += '\n';
    if (out.size() > (1 << 18)) {
      std::fwrite(out.data(), 1, out.size(), stdout);
      out.clear();
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return 0;
}
