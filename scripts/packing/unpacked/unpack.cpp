// The packed bot's half: unpacks the program into `image`, makes its code executable, and runs it.

#include <sys/mman.h>

static Byte image[SIZE] __attribute__((aligned(4096)));
static __thread Byte of_thread[OF_THREAD] __attribute__((aligned(16)));
extern "C" const char *const amazons_foreign[FOREIGN];

// The next 13 bits of the coded program.
static Word digit() {
    static const char *next = coded;
    Word digit = 0;
    for (int i = 0; i < 2; i++) {
        char c = *next ? *next++ : '!';
        digit = digit * 91 + c - '!' - (c > '"') - (c > '?') - (c > '\\');
    }
    return digit;
}

static void decode() {
    Model &model = model_of(image);
    Interval interval = {0, WHOLE};
    unsigned long long number = 0;
    for (int i = 0; i < 3; i++) number = number << 13 | digit();
    memcpy(image + TEXT, text, TEXT_END - TEXT);
    while (model.at < END) {
        if (model.at == TEXT && TEXT_END > TEXT) model.skip(TEXT_END);
        for (Word byte = 1; byte < 256;) {
            unsigned long long middle = interval.middle(model.chance());
            int bit = number <= middle;
            byte = byte * 2 + bit;
            if (byte > 255) image[model.at] = byte;
            interval.keep(bit, middle);
            model.take(bit);
            while (interval.shared_digit()) number = (number << 13 & WHOLE) | digit();
        }
    }
    turn_targets(image, CODE, false);
    free(&model);
}

// Adds to numbers in the image. A list in it says how far each lies behind the one before.
template <class Number> static void shift(Word list, Word count, Number by) {
    Word at = 0, step;
    for (; count--; list += 4) {
        Number number;
        memcpy(&step, image + list, 4);
        memcpy(&number, image + (at += step), sizeof number);
        number += by;
        memcpy(image + at, &number, sizeof number);
    }
}

int main(int count, char **arguments, char **environment) {
    decode();
    Word sum = 0;
    for (Word at = 0; at < END; at++) sum = (sum ^ image[at]) * 16777619;
    if (sum != SUM) {
        fputs("amazons: this file is damaged\n", stderr);
        return 1;
    }
    Byte *thread;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    shift<long>(ADDRESSES, ADDRESS_COUNT, (long) image);
    shift<int>(OFFSETS, OFFSET_COUNT, of_thread - thread);
    memcpy(image + FOREIGN_AT, amazons_foreign, sizeof amazons_foreign);
    if (mprotect(image, CODE, PROT_READ | PROT_EXEC)) {
        perror("amazons: the system does not let unpacked code run");
        return 1;
    }
    ((void (*)(int, char **, char **)) (image + START))(count, arguments, environment);
    return ((int (*)()) (image + ENTRY))();
}
