// Prints one line per scene of the file that it is linked with. The lines must be those of hashes.txt on every compiler and processor.

#include <sinew/config/determinism.hpp>

#include <cstdio>

namespace determinism {
void scenes();
}

int main() {
    if (!sinew::arithmetic_is_as_written()) {
        std::fputs("products are fused into sums: build with -ffp-contract=off\n", stderr);
        return 2;
    }
    determinism::scenes();
}
