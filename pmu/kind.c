#include "kind.h"

const struct pmu_kind kind_none;
