#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

// Runs a target over the files of folders: what libFuzzer's own main() does with single files, for
// builds without it.
//
//     fuzz-tree FOLDER…      a folder may be missing, but there must be something to run

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::string current; // the file that the target runs on

void name_the_file(int) {
    static_cast<void>(!::write(STDERR_FILENO, current.data(), current.size()));
}

void run(fs::path const& file) {
    current = "input: " + file.string() + '\n';
    std::ifstream in(file, std::ios::binary);
    // A block of exactly its size, so that AddressSanitizer sees what reads past the end.
    std::vector<char> const bytes(std::istreambuf_iterator<char>(in), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size());
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGABRT, name_the_file);
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        if (!fs::is_directory(argv[i])) continue;
        for (auto const& entry : fs::directory_iterator(argv[i])) {
            run(entry.path());
            ++count;
        }
    }
    std::cout << count << " inputs\n";
    return count > 0 ? 0 : 1;
}
