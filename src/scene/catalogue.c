// Sutures are made from two tables: sizes (diameter, smallest knot-pull force that the pharmacopoeia allows) and
// materials. A force that was measured for one size is carried to the others by the section of the thread:
//     F = strength x pi d^2 / 4.
// Knots cost 10 to 40 % of the straight force; where only one of the two forces is known the other follows with 25 %.
#include "catgut/catalogue.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/trig.h"

#define KNOT_SHARE 0.75
#define STANDARD_GRAVITY 9.80665 // [m/s2] the pharmacopoeia gives forces in kgf

#define HANDBOOK "Biomedical Engineering and Design Handbook, vol. 1, p. 329"
#define NALEWAY "Naleway et al. 2015, doi 10.1002/jbm.b.33171"
#define JOHANNS "Johanns et al. 2023, Sci. Adv. 9, eadg8861"
#define IMPLANTS "table 1 of PMC4669019 (stainless steel)"
#define KNOT_PENALTY "knot-pull is 10 to 40 % below straight (medscape.com/answers/1824895-32103)"

typedef struct suture_size {
    const char *name;
    double diameter;       // [mm]
    double knot_pull;      // [kgf] smallest mean, non-absorbable class I
    double knot_pull_lost; // [kgf] smallest mean, synthetic absorbable; 0: not made
} suture_size;

static const char diameter_source[] =
    "Therapeutic Goods Order 49 (Australia), Schedule 1: middle of the allowed mean diameters, rounded";

static const suture_size sizes[] = {
    {"11-0", 0.015, 0.006, 0},  {"10-0", 0.025, 0.019, 0.025}, {"9-0", 0.035, 0.043, 0.050}, {"8-0", 0.045, 0.06, 0.07},
    {"7-0", 0.060, 0.11, 0.14}, {"6-0", 0.085, 0.20, 0.25},    {"5-0", 0.125, 0.40, 0.68},   {"4-0", 0.175, 0.60, 0.95},
    {"3-0", 0.225, 0.96, 1.77}, {"2-0", 0.325, 1.44, 2.68},    {"0", 0.375, 2.16, 3.90},     {"1", 0.450, 2.72, 5.08},
    {"2", 0.550, 3.52, 6.35},
};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

typedef struct suture_material {
    const char *name;
    const char *thinnest; // the thinnest size it is listed in
    bool absorbable, braided;
    cg_sourced youngs_modulus, poisson_ratio, density, bend_share, friction;
    double strength;                           // [Pa] straight pull per section; 0: from the smallest knot-pull force
    const char *straight_source, *knot_source; // of 3-0, the size that was measured
    const char *straight_elsewhere, *knot_elsewhere; // of the other sizes
} suture_material;

#define SOLID                                                                                                          \
    {                                                                                                                  \
        1, "a solid round thread"                                                                                      \
    }
#define BRAID                                                                                                          \
    {                                                                                                                  \
        0.05, "estimate: a braid has 1 to 10 % of a solid rod; no measurement found"                                   \
    }

static const char pharmacopoeia_source[] =
    "recalled, not checked: smallest mean knot-pull force of the United States Pharmacopeia for this size";
static const char pharmacopoeia_straight_source[] = "estimate: the smallest knot-pull force of the United States "
                                                    "Pharmacopeia (recalled), a quarter higher without knot";

static const char from_straight_source[] = "estimate: three quarters of the straight force; " KNOT_PENALTY;
static const char from_knotted_source[] = "estimate: a third more than the knotted force; " KNOT_PENALTY;
static const char steel_source[] =
    "estimate: middle of the yield stress 480 to 620 MPa, " IMPLANTS "; it breaks above that";

// clang-format off
static const suture_material materials[] = {
    {.name = "nylon",
     .thinnest = "11-0",
     .youngs_modulus = {2.5e9, "estimate within 1.6 to 3.8 GPa of bulk nylon 6,6, " HANDBOOK},
     .poisson_ratio = {0.4, "recalled, not checked"},
     .density = {1140, HANDBOOK ": 1130 to 1150"},
     .bend_share = SOLID,
     .friction = {0.2, "estimate: measured for polypropylene on itself, " JOHANNS},
     .strength = 777e6,
     .straight_source = NALEWAY ": 30.9 N",
     .straight_elsewhere = "estimate: by section from 30.9 N of 3-0, " NALEWAY,
     .knot_source = from_straight_source, .knot_elsewhere = from_straight_source},
    {.name = "polypropylene",
     .thinnest = "10-0",
     .youngs_modulus = {2.5e9,
                        "recalled, not checked: 1.5 to 5 GPa for the drawn thread; bulk is 1.1 to 1.55 GPa, " HANDBOOK},
     .poisson_ratio = {0.4, "recalled, not checked"},
     .density = {905, HANDBOOK ": 900 to 910"},
     .bend_share = SOLID,
     .friction = {0.2, JOHANNS ": measured on itself in sliding knots"},
     .strength = 634e6,
     .straight_source = from_knotted_source, .straight_elsewhere = from_knotted_source,
     .knot_source = NALEWAY ": 18.9 N",
     .knot_elsewhere = "estimate: by section from 18.9 N of 3-0, " NALEWAY},
    {.name = "silk",
     .thinnest = "9-0",
     .braided = true,
     .youngs_modulus = {8.701e9, NALEWAY ": initial modulus of 3-0 braided silk"},
     .poisson_ratio = {0.4, "estimate"},
     .density = {1350, "recalled, not checked: 1300 to 1400"},
     .bend_share = BRAID,
     .friction = {0.27, "recalled, not checked: 0.2 to 0.35, order of magnitude"}},
    {.name = "polyglactin 910",
     .thinnest = "10-0",
     .absorbable = true,
     .braided = true,
     .youngs_modulus = {9.32e9, NALEWAY ": initial modulus of 3-0 polyglactin 910 (rapid)"},
     .poisson_ratio = {0.4, "estimate"},
     .density = {1500, "recalled, not checked"},
     .bend_share = BRAID,
     .friction = {0.2, "recalled, not checked: 0.15 to 0.25, order of magnitude"}},
    {.name = "polydioxanone",
     .thinnest = "9-0",
     .absorbable = true,
     .youngs_modulus = {1.5e9, "recalled, not checked: order of magnitude"},
     .poisson_ratio = {0.4, "estimate"},
     .density = {1300, "recalled, not checked"},
     .bend_share = SOLID,
     .friction = {0.2, "estimate: measured for polypropylene on itself, " JOHANNS}},
    {.name = "steel",
     .thinnest = "7-0",
     .youngs_modulus = {196e9, IMPLANTS ": 193 to 200 GPa"},
     .poisson_ratio = {0.3, "recalled, not checked"},
     .density = {7900, IMPLANTS},
     .bend_share = SOLID,
     .friction = {0.3, "estimate"},
     .strength = 550e6,
     .straight_source = steel_source, .straight_elsewhere = steel_source,
     .knot_source = from_straight_source, .knot_elsewhere = from_straight_source},
};
// clang-format on
enum { MATERIAL_COUNT = sizeof materials / sizeof materials[0] };

// Names that people use instead.
static const struct alias {
    const char *name, *material;
} aliases[] = {
    {"polyglactin", "polyglactin 910"}, {"pp", "polypropylene"}, {"pds", "polydioxanone"},
    {"stainless steel", "steel"},       {"polyamide", "nylon"},  {"pa", "nylon"},
};
enum { ALIAS_COUNT = sizeof aliases / sizeof aliases[0] };

static int find_size(const char *name)
{
    for (int i = 0; i < SIZE_COUNT; i++) {
        if (strcmp(sizes[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static int sizes_of(const suture_material *material)
{
    return SIZE_COUNT - find_size(material->thinnest);
}

static void set_forces(cg_suture *suture, const suture_size *size, const suture_material *material)
{
    double d = suture->diameter.value;
    if (material->strength > 0) {
        double straight = material->strength * (0.25 * CG_PI * d * d);
        bool measured = strcmp(size->name, "3-0") == 0;
        suture->breaking_force =
            (cg_sourced){straight, measured ? material->straight_source : material->straight_elsewhere};
        suture->knot_pull_force =
            (cg_sourced){KNOT_SHARE * straight, measured ? material->knot_source : material->knot_elsewhere};
        return;
    }
    double knotted = STANDARD_GRAVITY * (material->absorbable ? size->knot_pull_lost : size->knot_pull);
    suture->knot_pull_force = (cg_sourced){knotted, pharmacopoeia_source};
    suture->breaking_force = (cg_sourced){knotted / KNOT_SHARE, pharmacopoeia_straight_source};
}

static void make(const suture_size *size, const suture_material *material, cg_suture *suture)
{
    *suture = (cg_suture){
        .size = size->name,
        .material = material->name,
        .absorbable = material->absorbable,
        .braided = material->braided,
        .diameter = {1e-3 * size->diameter, diameter_source},
        .youngs_modulus = material->youngs_modulus,
        .poisson_ratio = material->poisson_ratio,
        .density = material->density,
        .bend_share = material->bend_share,
        .friction = material->friction,
    };
    snprintf(suture->name, sizeof suture->name, "%s %s", size->name, material->name);
    set_forces(suture, size, material);
}

int cg_catalogue_count(void)
{
    int count = 0;
    for (int m = 0; m < MATERIAL_COUNT; m++) {
        count += sizes_of(&materials[m]);
    }
    return count;
}

bool cg_catalogue_get(int index, cg_suture *suture)
{
    for (int m = 0; index >= 0 && m < MATERIAL_COUNT; m++) {
        int count = sizes_of(&materials[m]);
        if (index < count) {
            make(&sizes[SIZE_COUNT - count + index], &materials[m], suture);
            return true;
        }
        index -= count;
    }
    return false;
}

enum { LONGEST_TEXT = 80 };

// Lower case, single spaces, "3/0" as "3-0". False when it is too long to be a name.
static bool tidy(const char *text, char *out)
{
    size_t used = 0;
    for (const char *c = text; *c != '\0'; c++) {
        char kept = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c == '/' ? '-' : *c == '\t' ? ' ' : *c;
        if (kept == ' ' && (used == 0 || out[used - 1] == ' ')) {
            continue;
        }
        if (used + 1 >= LONGEST_TEXT) {
            return false;
        }
        out[used++] = kept;
    }
    used -= used > 0 && out[used - 1] == ' ';
    out[used] = '\0';
    return true;
}

static int find_material(const char *name)
{
    for (int i = 0; i < ALIAS_COUNT; i++) {
        name = strcmp(aliases[i].name, name) == 0 ? aliases[i].material : name;
    }
    for (int m = 0; m < MATERIAL_COUNT; m++) {
        if (strcmp(materials[m].name, name) == 0) {
            return m;
        }
    }
    return -1;
}

// Splits "3-0 nylon" or "nylon 3-0" into the places of both; -1 for a part that is not in the tables.
static void split(const char *tidied, int *size, int *material)
{
    char copy[LONGEST_TEXT];
    snprintf(copy, sizeof copy, "%s", tidied);
    *size = *material = -1;
    char *first_space = strchr(copy, ' '), *last_space = strrchr(copy, ' ');
    if (first_space == NULL) {
        return;
    }
    *last_space = '\0';
    *size = find_size(last_space + 1);
    if (*size >= 0) {
        *material = find_material(copy);
        return;
    }
    *last_space = ' ';
    *first_space = '\0';
    *size = find_size(copy);
    *material = find_material(first_space + 1);
}

static void suggest(const char *tidied, char *suggestion, size_t room)
{
    enum { MOST_NAMES = SIZE_COUNT * MATERIAL_COUNT };
    cg_suture sutures[MOST_NAMES];
    const char *names[MOST_NAMES];
    int count = cg_catalogue_count();
    for (int i = 0; i < count; i++) {
        cg_catalogue_get(i, &sutures[i]);
        names[i] = sutures[i].name;
    }
    const char *nearest = cg_nearest_word(tidied, names, count);
    snprintf(suggestion, room, "%s", nearest != NULL ? nearest : "");
}

bool cg_catalogue_find(const char *text, cg_suture *suture, char *suggestion, size_t room)
{
    char tidied[LONGEST_TEXT];
    int size, material;
    if (room > 0) {
        suggestion[0] = '\0';
    }
    if (!tidy(text, tidied)) {
        return false;
    }
    split(tidied, &size, &material);
    if (size >= 0 && material >= 0 && size >= SIZE_COUNT - sizes_of(&materials[material])) {
        make(&sizes[size], &materials[material], suture);
        return true;
    }
    if (room > 0) {
        suggest(tidied, suggestion, room);
    }
    return false;
}

void cg_suture_apply(const cg_suture *suture, cg_thread_def *def)
{
    def->radius = 0.5 * suture->diameter.value;
    def->youngs_modulus = suture->youngs_modulus.value;
    def->poisson_ratio = suture->poisson_ratio.value;
    def->density = suture->density.value;
    def->friction = suture->friction.value;
    def->stretch_stiffness = def->linear_density = CG_FROM_MATERIAL;
    def->bend_stiffness = def->twist_stiffness = CG_FROM_MATERIAL;
    if (suture->bend_share.value < 1) {
        double r2 = def->radius * def->radius;
        def->bend_stiffness = suture->bend_share.value * def->youngs_modulus * (0.25 * CG_PI * r2 * r2);
        def->twist_stiffness = def->bend_stiffness / (1 + def->poisson_ratio);
    }
}
