// The packer's half: reads a program from standard input and writes the text that unpack.cpp reads.
//
// Arguments: the size of the program's code, and from where to where a text lies that is left out.

#include "model.h"

static Byte program[1 << 24];

static void write_digit(Word digit) {
    Word numbers[] = {digit / 91, digit % 91};
    for (int i = 0; i < 2; i++) {
        // Printable characters but for quotation mark, question mark and backslash.
        int c = '!' + numbers[i];
        c += c >= '"';
        c += c >= '?';
        c += c >= '\\';
        putchar(c);
    }
}

int main(int, char **arguments) {
    Word size = fread(program, 1, sizeof program, stdin), begin = atoi(arguments[2]), end = atoi(arguments[3]);
    turn_targets(program, atoi(arguments[1]), true);
    Model &model = model_of(program);
    Interval interval = {0, WHOLE};
    while (model.at < size) {
        if (model.at == begin && end > begin) model.skip(end);
        for (int place = 7, byte = program[model.at]; place >= 0; place--) {
            int bit = byte >> place & 1;
            interval.keep(bit, interval.middle(model.chance()));
            model.take(bit);
            for (unsigned long long low = interval.low; interval.shared_digit(); low = interval.low) write_digit(low >> 26);
        }
    }
    for (int shift = 26; shift >= 0; shift -= 13) write_digit(interval.low >> shift & 8191);
}
