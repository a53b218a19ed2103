// The chance of the next bit of a program, mixed from what followed in several contexts before (as lpaq1, Mahoney 2007).
//
// The packer and the packed bot compile this same file. All is in integers, so both find the same chances.

#include <emmintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char Byte;
typedef unsigned short Half;
typedef unsigned Word;

enum { CONTEXTS = 7, INPUTS = 2 * CONTEXTS + 2, ROWS = 1 << 15, HEADS = 1 << 16, LONGEST = 30, STOPS = 33 };

// The largest number of an interval.
static const unsigned long long WHOLE = (1ULL << 39) - 1;

// What followed in a context, for half a byte: by its bits so far, 12 bits of the chance and 4 of how often it was seen.
struct Row {
    Half check, slots[15];
};

// Weights of the inputs, in 1 / 16384.
struct Mixer {
    short weights[INPUTS];
};

// ln(p / (1 - p)) in 1 / 256 to p in 1 / 4096.
static int squash(int odds) {
    static const short at[STOPS] = {1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047,
        2549, 2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094};
    int whole = (odds + 2048) >> 7, part = odds & 127;
    return (at[whole] * (128 - part) + at[whole + 1] * part + 64) >> 7;
}

static int within_bounds(int odds) {
    return odds > 2047 ? 2047 : odds < -2047 ? -2047 : odds;
}

// A moving average in 16 bits, after one more bit.
static void follow(Half &average, int bit) {
    average += ((bit ? 65535 : 0) - average) >> 6;
}

static int mixed(const Mixer &mixer, const short *inputs) {
    __m128i sum = _mm_setzero_si128();
    for (int i = 0; i < INPUTS; i += 8) {
        __m128i weights = _mm_loadu_si128((const __m128i *) (mixer.weights + i));
        __m128i products = _mm_madd_epi16(weights, _mm_loadu_si128((const __m128i *) (inputs + i)));
        sum = _mm_add_epi32(sum, _mm_srai_epi32(products, 4));
    }
    sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 8));
    sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 4));
    return within_bounds(_mm_cvtsi128_si32(sum) >> 10);
}

static void learn(Mixer &mixer, const short *inputs, int error) {
    const __m128i errors = _mm_set1_epi16(error), one = _mm_set1_epi16(1);
    for (int i = 0; i < INPUTS; i += 8) {
        __m128i *weights = (__m128i *) (mixer.weights + i);
        __m128i twice = _mm_slli_epi16(_mm_loadu_si128((const __m128i *) (inputs + i)), 1);
        __m128i change = _mm_srai_epi16(_mm_add_epi16(_mm_mulhi_epi16(twice, errors), one), 1);
        _mm_storeu_si128(weights, _mm_adds_epi16(_mm_loadu_si128(weights), change));
    }
}

struct Model {
    const Byte *data;
    Word at;
    Row rows[CONTEXTS][ROWS];
    Word contexts[CONTEXTS];
    Row *row[CONTEXTS];
    // The bits of the byte so far, and of half of it, each with a leading 1.
    Word byte, half;
    // Where the last bytes stood before, how many of them, and how often such a place foretold a bit.
    Word heads[HEADS], match, length;
    Half foretold[LONGEST + 1];
    int guess;
    short inputs[INPUTS];
    Mixer by_byte[16 * 256], by_last[256], *mixers[2];
    int odds[2];
    Half stops[65536][STOPS], *stop;
    short stretched[4096];
    // The share of one more bit in a chance, by how often its context was seen, in 1 / 65536.
    int shares[16];

    // Begins before the first byte. All else is zero.
    void begin(const Byte *bytes) {
        data = bytes;
        for (int x = -2047, p = 0; x <= 2047; x++)
            while (p <= squash(x)) stretched[p++] = x;
        stretched[4095] = 2047;
        for (Word i = 0; i < sizeof by_byte / sizeof(Mixer); i++)
            for (int k = 0; k < INPUTS; k++) by_byte[i].weights[k] = 2500;
        for (int i = 0; i < 256; i++)
            for (int k = 0; k < INPUTS; k++) by_last[i].weights[k] = 2500;
        for (int i = 0; i < 65536; i++)
            for (int k = 0; k < STOPS; k++) stops[i][k] = squash(within_bounds((k - 16) * 128)) * 16;
        for (int i = 0; i < 16; i++) shares[i] = 2 * 65536 / (i + 3);
        for (int i = 0; i <= LONGEST; i++) foretold[i] = 49152;
        next_byte();
    }

    Word last(Word back) const {
        return at < back ? 0 : data[at - back];
    }

    // Goes on behind bytes that are known.
    void skip(Word to) {
        at = to;
        length = 0;
        next_byte();
    }

    void next_byte() {
        Word four = last(1) | last(2) << 8 | last(3) << 16 | last(4) << 24;
        const Word seen[CONTEXTS] = {four & 0xff, four & 0xffff, four & 0xffffff, four & 0xffff00, four & 0xff000000,
            four & 0xf0f0f0f0, (four & 0xffff0000) | last(5)};
        for (int i = 0; i < CONTEXTS; i++) {
            Word hash = (seen[i] + (i + 1) * 0x3c6ef372u) * 0x9e3779b1u;
            contexts[i] = (hash ^ hash >> 15) * 0x85ebca6bu;
        }
        find_match((four * 0x2f0b4c47u + last(5) * 0x9e3779b1u) >> 16);
        byte = 1;
    }

    void find_match(Word head) {
        if (length && data[match] == data[at - 1]) {
            match++;
            length += length < LONGEST;
        } else {
            match = heads[head];
            for (length = 0; length < LONGEST && length < match && data[match - length - 1] == data[at - length - 1];) length++;
        }
        heads[head] = at;
    }

    void find_rows() {
        Word hashes[CONTEXTS];
        half = 1;
        for (int i = 0; i < CONTEXTS; i++) {
            hashes[i] = (contexts[i] + byte * 0x9e3779b1u) * 0x2545f491u;
            row[i] = &rows[i][(hashes[i] >> 3 ^ hashes[i] >> 17) % ROWS];
            __builtin_prefetch(row[i]);
        }
        for (int i = 0; i < CONTEXTS; i++) {
            Half check = hashes[i] >> 16 | 1;
            Row *other = rows[i] + ((row[i] - rows[i]) ^ 1);
            if (row[i]->check == check) continue;
            // The less used one of two makes room.
            if (other->check == check || (other->slots[0] & 15) < (row[i]->slots[0] & 15)) row[i] = other;
            if (row[i]->check == check) continue;
            row[i]->check = check;
            for (int k = 0; k < 15; k++) row[i]->slots[k] = 32768;
        }
    }

    // The chance that the next bit is set, in 1 / 65536.
    int chance() {
        if (byte == 1 || (byte >> 4) == 1) find_rows();
        for (int i = 0; i < CONTEXTS; i++) {
            int slot = row[i]->slots[half - 1], count = slot & 15;
            inputs[2 * i] = count ? stretched[slot >> 4] : 0;
            inputs[2 * i + 1] = ((slot >> 4) - 2048) * count >> 4;
        }
        int bits = 31 - __builtin_clz(byte);
        guess = -1;
        if (length && (data[match] | 256u) >> (8 - bits) == byte) guess = data[match] >> (7 - bits) & 1;
        int sure = guess < 0 ? 0 : stretched[foretold[length] >> 4];
        inputs[2 * CONTEXTS] = guess ? sure : -sure;
        inputs[2 * CONTEXTS + 1] = 256;
        mixers[0] = &by_byte[byte + 256 * (guess < 0 ? 0 : (length + 1) / 2)];
        mixers[1] = &by_last[last(1)];
        for (int i = 0; i < 2; i++) odds[i] = mixed(*mixers[i], inputs);
        int mean = (odds[0] + odds[1]) >> 1, place = (mean + 2048) * 32, part = place & 4095;
        stop = &stops[byte | last(1) << 8][place >> 12];
        int chance = (squash(mean) * 16 + ((stop[0] * (4096 - part) + stop[1] * part) >> 12)) >> 1;
        stop += part >> 11;
        return chance < 32 ? 32 : chance > 65503 ? 65503 : chance;
    }

    // Takes the next bit.
    void take(int bit) {
        follow(*stop, bit);
        for (int i = 0; i < 2; i++) learn(*mixers[i], inputs, ((bit << 12) - squash(odds[i])) * 7);
        for (int i = 0; i < CONTEXTS; i++) {
            Half &slot = row[i]->slots[half - 1];
            int chance = slot >> 4, count = slot & 15;
            chance += ((bit ? 4095 : 0) - chance) * shares[count] >> 16;
            slot = chance << 4 | (count + (count < 15));
        }
        if (guess >= 0) follow(foretold[length], guess == bit);
        half = half * 2 + bit;
        byte = byte * 2 + bit;
        if (byte > 255) {
            at++;
            next_byte();
        }
    }
};

// A model that begins with no byte of the data known.
static Model &model_of(const Byte *data) {
    Model *model = (Model *) calloc(1, sizeof(Model));
    if (!model) {
        perror("amazons: no memory to unpack in");
        exit(1);
    }
    model->begin(data);
    return *model;
}

// Numbers from low to high, of three digits of 13 bits, which bits narrow (as in src/engine/eval/value/coding.rs).
struct Interval {
    unsigned long long low, high;

    // Keeps the numbers that stand for a bit; `middle` is the last one of a set bit.
    void keep(int bit, unsigned long long middle) {
        if (bit)
            high = middle;
        else
            low = middle + 1;
    }

    unsigned long long middle(int chance) const {
        return low + ((high - low) * chance >> 16);
    }

    // Takes the first digit away if all numbers share it.
    bool shared_digit() {
        if ((low ^ high) >> 26) return false;
        low = low << 13 & WHOLE;
        high = (high << 13 & WHOLE) | 8191;
        return true;
    }
};

// Turns the targets of calls and jumps into addresses, which repeat, or back into distances.
static void turn_targets(Byte *code, Word size, bool into_addresses) {
    for (Word at = 0; at + 6 <= size; at++) {
        if (code[at] == 0x0f && (code[at + 1] & 0xf0) == 0x80)
            at++;
        else if ((code[at] & 0xfe) != 0xe8)
            continue;
        Word target;
        memcpy(&target, code + at + 1, 4);
        target = into_addresses ? __builtin_bswap32(target + at) : __builtin_bswap32(target) - at;
        memcpy(code + at + 1, &target, 4);
        at += 4;
    }
}
