// Tissues by name. Most numbers scatter by a factor of two and more between people, places of the body and ways to
// measure; each says where it is from.
#include "catgut/catalogue.h"
#include "scene/catalogue_names.h"

#define SKIN_REVIEW "reviews of skin mechanics: 5 kPa to 140 MPa over all methods"
#define TERRY "Terry et al. 2014, IJECB 2(4): porcine small bowel, biaxial"
#define EGOROV "Egorov et al. 2002, doi 10.1016/S0021-9290(02)00084-2"
#define CUTTING_REVIEW "table 2 of doi 10.1186/s10033-022-00767-4"
#define GONG "Gong et al. 2023, doi 10.1115/1.4063951"
#define POTTER "Potter et al. 2025, Dermatol. Surg. 51, 148"
#define VESSEL_TABLE "table 1 of PMC4669019 (arterial wall)"

// clang-format off
static const cg_tissue_kind kinds[] = {
    {.name = "artery",
     .youngs_modulus = {1e6, VESSEL_TABLE ": about 1 MPa"},
     .density = {1060, "recalled, not checked: 1050 to 1100"},
     .strength = {1.1e6, VESSEL_TABLE ": middle of 0.50 to 1.72 MPa"},
     .stiffening = {0, "estimate: the modulus is that of the working range, which is stiff already"},
     .toughness = {290, CUTTING_REVIEW ": porcine aorta cut with a blade, 290 +- 110"},
     .tear_resistance = {380, "estimate: a fifth of skin. Six stitches hold 44 % of an intact rat femoral artery (doi 10.1002/micr.1920030306)"},
     .thickness = {1e-3, "estimate: a tenth to a seventh of the radius of a vessel of 15 mm"}},
    {.name = "bowel",
     .youngs_modulus = {243e3, TERRY ": middle of 180 and 307 kPa in the toe"},
     .density = {1050, "recalled, not checked: 1050 to 1100"},
     .strength = {0.9e6, EGOROV ": 0.9 MPa, human small bowel across"},
     .stiffening = {25, "estimate: 7 times as stiff (" TERRY ": 1389 to 2212 kPa) at half its length more"},
     .toughness = {300, "estimate: as lamina propria cut with a blade, 170 to 450 (" CUTTING_REVIEW ")"},
     .tear_resistance = {1540, GONG ": 4.62 +- 1.40 N, human small bowel, over 3 mm; the bite is taken as 5 mm"},
     .thickness = {3e-3, "recalled, not checked: 2 to 4 mm"}},
    {.name = "fat",
     .youngs_modulus = {20e3, "estimate: 1 to 50 kPa, order of magnitude; what lies under skin gives way easily"},
     .density = {950, "recalled, not checked: 900 to 960"},
     .strength = {0.1e6, "estimate: sutures pull out at a ninth of the force of skin (recalled, not checked)"},
     .stiffening = {0, "estimate"},
     .toughness = {200, "estimate: as liver cut with a blade, 187 to 225 (" CUTTING_REVIEW ")"},
     .tear_resistance = {210, "estimate: a ninth of skin, as pull-out of sutures is (recalled, not checked)"},
     .thickness = {10e-3, "estimate: millimetres to centimetres"}},
    {.name = "lax skin",
     .youngs_modulus = {200e3, "calibrated: a stitch of 1 to 1.5 N closes a wound of 4 mm (docs/suturing.md), where surgeons use 0.5 to 3 N. Skin that is hardly stretched; " SKIN_REVIEW},
     .density = {1100, "recalled, not checked: 1050 to 1100"},
     .strength = {10e6, "as skin: some to some tens of MPa, recalled, not checked"},
     .stiffening = {20, "as skin: 6 times as stiff at half its length more, an estimate"},
     .toughness = {1700, "as skin: " CUTTING_REVIEW},
     .tear_resistance = {1850, "as skin: " POTTER},
     .thickness = {2e-3, "as skin: 1 to 3 mm, recalled, not checked"}},
    {.name = "skin",
     .youngs_modulus = {1e6, "Geerligs 2011, J. Biomech. 44, 1176: 1 to 2 MPa by indentation; " SKIN_REVIEW},
     .density = {1100, "recalled, not checked: 1050 to 1100"},
     .strength = {10e6, "recalled, not checked: some to some tens of MPa"},
     .stiffening = {20, "estimate: 6 times as stiff at half its length more"},
     .toughness = {1700, CUTTING_REVIEW ": rat skin cut with scissors; chicken skin 2800"},
     .tear_resistance = {1850, POTTER ": 3.26 to 4.07 N, artificial skin, over 2 mm; the bite is taken as 5 mm"},
     .thickness = {2e-3, "recalled, not checked: 1 to 3 mm"}},
    {.name = "training pad",
     .youngs_modulus = {100e3, "estimate: soft silicone, Shore 00-30 to A-5"},
     .density = {1100, "recalled, not checked: silicone rubber 1070 to 1150"},
     .strength = {2e6, "estimate: soft silicones tear at 1 to 4 MPa"},
     .stiffening = {0, "estimate: nearly linear to half its length more"},
     .toughness = {150, "estimate: soft silicones under a sharp blade, 100 to 300"},
     .tear_resistance = {740, POTTER ": 3.26 to 4.07 N, artificial skin, over 5 mm; the bite is taken as 5 mm"},
     .thickness = {5e-3, "estimate: pads for practice are 3 to 10 mm"}},
};
// clang-format on
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

int cg_tissue_catalogue_count(void)
{
    return KIND_COUNT;
}

bool cg_tissue_catalogue_get(int index, cg_tissue_kind *kind)
{
    if (index < 0 || index >= KIND_COUNT) {
        return false;
    }
    *kind = kinds[index];
    return true;
}

bool cg_tissue_catalogue_find(const char *text, cg_tissue_kind *kind, char *suggestion, size_t room)
{
    const char *names[KIND_COUNT];
    for (int i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
    }
    return cg_tissue_catalogue_get(cg_catalogue_match(text, names, KIND_COUNT, suggestion, room), kind);
}

cg_tissue_material cg_tissue_kind_material(const cg_tissue_kind *kind)
{
    return (cg_tissue_material){.young = kind->youngs_modulus.value,
                                .density = kind->density.value,
                                .strength = kind->strength.value,
                                .stiffening = kind->stiffening.value,
                                .toughness = kind->toughness.value,
                                .tear_resistance = kind->tear_resistance.value};
}
