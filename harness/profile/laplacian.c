#include "laplacian.h"

#include "boot/text.h"
#include "square_root.h"

static uint64_t triangle(uint64_t nodes)
{
    return nodes * (nodes + 1) / 2;
}

static double *row_of(const struct laplacian *laplacian, uint32_t row)
{
    return laplacian->rows + triangle(row);
}

uint64_t laplacian_words(uint32_t nodes)
{
    return triangle(nodes) + 2 * words_of_halves(nodes);
}

bool laplacian_make(struct laplacian *laplacian, uint32_t nodes, struct words *words)
{
    *laplacian = (struct laplacian){.nodes = nodes};
    if (words->left < laplacian_words(nodes))
        return false;
    laplacian->rows = (double *)words_take(words, triangle(nodes));
    laplacian->begins = (uint32_t *)words_take(words, words_of_halves(nodes));
    laplacian->part = (uint32_t *)words_take(words, words_of_halves(nodes));
    laplacian_clear(laplacian);
    return true;
}

void laplacian_clear(struct laplacian *laplacian)
{
    memset(laplacian->rows, 0, triangle(laplacian->nodes) * sizeof(double));
    for (uint32_t node = 0; node < laplacian->nodes; node++)
        laplacian->begins[node] = laplacian->part[node] = node;
}

uint32_t laplacian_root(const struct laplacian *laplacian, uint32_t node)
{
    while (laplacian->part[node] != node)
        node = laplacian->part[node] = laplacian->part[laplacian->part[node]];
    return node;
}

void laplacian_connect(struct laplacian *laplacian, uint32_t a, uint32_t b, double conductance)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    const uint32_t one = laplacian_root(laplacian, a), other = laplacian_root(laplacian, b);

    if (a == b)
        return;
    row_of(laplacian, low)[low] += conductance;
    row_of(laplacian, high)[high] += conductance;
    row_of(laplacian, high)[low] -= conductance;
    if (low < laplacian->begins[high])
        laplacian->begins[high] = low;
    laplacian->part[one > other ? one : other] = one > other ? other : one;
}

static bool grounded(const struct laplacian *laplacian, uint32_t node)
{
    return laplacian->part[node] == node;
}

/* Row and column of a grounded node become those of the unit matrix, so its potential is 0. */
static void ground(struct laplacian *laplacian)
{
    for (uint32_t i = 0; i < laplacian->nodes; i++) {
        double *row = row_of(laplacian, i);

        for (uint32_t j = laplacian->begins[i]; j < i; j++)
            if (grounded(laplacian, i) || grounded(laplacian, j))
                row[j] = 0;
        if (grounded(laplacian, i))
            row[i] = 1;
    }
}

static double sum_of_products(const struct laplacian *laplacian, uint32_t i, uint32_t j)
{
    const double *one = row_of(laplacian, i), *other = row_of(laplacian, j);
    const uint32_t *begins = laplacian->begins;
    double sum = 0;

    for (uint32_t k = begins[i] > begins[j] ? begins[i] : begins[j]; k < j; k++)
        sum += one[k] * other[k];
    return sum;
}

bool laplacian_factor(struct laplacian *laplacian)
{
    ground(laplacian);
    for (uint32_t i = 0; i < laplacian->nodes; i++) {
        double *row = row_of(laplacian, i);
        const double before = row[i];

        for (uint32_t j = laplacian->begins[i]; j < i; j++)
            row[j] = (row[j] - sum_of_products(laplacian, i, j)) / row_of(laplacian, j)[j];
        row[i] -= sum_of_products(laplacian, i, i);
        if (!(row[i] > before * 1e-14))
            return false;
        row[i] = square_root(row[i]);
    }
    return true;
}

void laplacian_solve(const struct laplacian *laplacian, double *values)
{
    for (uint32_t i = 0; i < laplacian->nodes; i++) {
        const double *row = row_of(laplacian, i);

        if (grounded(laplacian, i))
            values[i] = 0;
        for (uint32_t j = laplacian->begins[i]; j < i; j++)
            values[i] -= row[j] * values[j];
        values[i] /= row[i];
    }
    for (uint32_t i = laplacian->nodes; i-- > 0;) {
        const double *row = row_of(laplacian, i);

        values[i] /= row[i];
        for (uint32_t j = laplacian->begins[i]; j < i; j++)
            values[j] -= row[j] * values[i];
    }
}
