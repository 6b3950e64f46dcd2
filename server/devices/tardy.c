#include "tardy.h"

static const double BIN = 20e-6; // [s]

void cg_tardy_add(cg_tardy *tardy, double seconds)
{
    double late = seconds > 0 ? seconds : 0; // 0 for what is no number
    double last = BIN * (CG_TARDY_BINS - 1);
    tardy->bins[late < last ? (int)(late / BIN) : CG_TARDY_BINS - 1]++;
    tardy->count++;
    tardy->longest = late > tardy->longest ? late : tardy->longest;
}

double cg_tardy_quantile(const cg_tardy *tardy, double share)
{
    double wanted = share * (double)tardy->count;
    uint64_t seen = 0;
    for (int i = 0; i < CG_TARDY_BINS - 1; i++) {
        seen += tardy->bins[i];
        if (seen > 0 && (double)seen >= wanted) {
            return BIN * (i + 1) < tardy->longest ? BIN * (i + 1) : tardy->longest;
        }
    }
    return tardy->longest;
}
