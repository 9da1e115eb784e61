/* SHA-256 against the examples that NIST publishes with FIPS 180-4, and where the padding needs
 * another block: those values are coreutils' sha256sum's. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/own/sha256.h"

static void assert_hash(const char *bytes, size_t size, const char *expected)
{
    char text[SHA256_TEXT];

    sha256(bytes, size, text);
    assert_string_equal(text, expected);
}

static void published_examples(void **state)
{
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    static char many[1000000];

    (void)state;
    assert_hash("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_hash(two_blocks, 56, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(many, 'a', sizeof(many));
    assert_hash(many, sizeof(many),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void lengths_around_a_block(void **state)
{
    static const char zeros[128];

    (void)state;
    assert_hash(zeros, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_hash(zeros, 55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7");
    assert_hash(zeros, 63, "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971");
    assert_hash(zeros, 64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b");
    assert_hash(zeros, 119, "f616b0d54e78571a9611f343c9f8e022e859e920381ab0e4d3da01e193a7bd7e");
    assert_hash(zeros, 120, "6edd9f6f9cc92cded36e6c4a580933f9c9f1b90562b46903b806f21902a1a54f");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_examples),
        cmocka_unit_test(lengths_around_a_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
