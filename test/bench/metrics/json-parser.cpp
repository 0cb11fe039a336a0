// The baseline of the encode figures: NDJSON from a file to varint-delimited readings with libprotobuf's own JSON parser,
// one thread, output in blocks. Built by bench.mjs where g++, protoc and libprotobuf are installed.
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

  collectd::types::ValueList reading;
  std::string line;
  std::string message;
  std::string out;
  char part[1 << 16];
  while (std::fgets(part, sizeof part, file) != nullptr) {
    line += part;
    if (line.empty() || line.back() != '\n') continue;
    line.pop_back();
    reading.Clear();
    if (!google::protobuf::util::JsonStringToMessage(line, &reading).ok()) return 1;
    line.clear();
    message.clear();
    if (!reading.SerializeToString(&message)) return 1;
    unsigned long length = message.size();
    for (; length > 0x7f; length >>= 7) out += static_cast<char>((length & 0x7f) | 0x80);
    out += static_cast<char>(length);
    out += message;
    if (out.size() > (1 << 18)) {
      std::fwrite(out.data(), 1, out.size(), stdout);
      out.clear();
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return 0;
}
