// Needles by name: what makers print on the packet (curve, length, point), and the wire that goes with the thread.
// The curve of a needle is a part of a circle: 1/4 is 90 degrees, 3/8 135, 1/2 180, 5/8 225
// (medicalalgorithms.com/shapes-of-surgical-needles); its length is that along the middle line
// (mrcophth.com/needles/needleanatomy.htm).
#include "catgut/catalogue.h"

#include "base/trig.h"
#include "scene/catalogue_names.h"

#define RED_CROSS "itemscatalogue.redcross.int, MSNSABSB: absorbable sutures with needle"
#define PACKET "recalled, not checked: as printed on packets of that name"
#define VENDOR "sztexnet.com/product/surgical-needles, a vendor's table of wires by thread, "
#define MASS "estimate: volume of the wire by 7900 kg/m3 of stainless steel (density recalled, not checked)"

// A point is so many diameters long: taper 6 to 12, cutting 4 to 8 on pictures of needles.
static const double POINT_DIAMETERS = 6;
enum { PIECES = 16, EIGHTHS = 8 };

// clang-format off
static const cg_needle_kind kinds[] = {
    {.name = "BV-75", .eighths = 3, .point = CG_POINT_TAPER,
     .length = {4e-3, "recalled, not checked: 4 to 5 mm"}, .diameter = {75e-6, PACKET}},
    {.name = "BV-100", .eighths = 3, .point = CG_POINT_TAPER,
     .length = {5e-3, "recalled, not checked: about 5 mm"}, .diameter = {100e-6, PACKET}},
    {.name = "spatula 8", .eighths = 2, .point = CG_POINT_CUTTING,
     .length = {8e-3, "estimate: a needle of a quarter of a circle for the eye, 5 to 8 mm"},
     .diameter = {0.2e-3, VENDOR "7-0"}},
    {.name = "BV-1", .eighths = 3, .point = CG_POINT_TAPER,
     .length = {9.3e-3, PACKET}, .diameter = {0.2e-3, VENDOR "7-0"}},
    {.name = "C-1", .eighths = 3, .point = CG_POINT_TAPER,
     .length = {13e-3, PACKET}, .diameter = {0.4e-3, VENDOR "5-0"}},
    {.name = "TF", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {13e-3, PACKET}, .diameter = {0.5e-3, VENDOR "4-0"}},
    {.name = "P-3", .eighths = 3, .point = CG_POINT_REVERSE_CUTTING,
     .length = {13e-3, PACKET}, .diameter = {0.4e-3, VENDOR "5-0"}},
    {.name = "RB-1", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {17e-3, PACKET}, .diameter = {0.5e-3, VENDOR "4-0"}},
    {.name = "round 18", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {18.5e-3, RED_CROSS ", 4-0 and 3-0"}, .diameter = {0.6e-3, VENDOR "3-0"}},
    {.name = "PS-2", .eighths = 3, .point = CG_POINT_REVERSE_CUTTING,
     .length = {19e-3, PACKET}, .diameter = {0.6e-3, VENDOR "3-0"}},
    {.name = "FS-2", .eighths = 3, .point = CG_POINT_REVERSE_CUTTING,
     .length = {19e-3, PACKET}, .diameter = {0.6e-3, VENDOR "3-0"}},
    {.name = "round 22", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {21.8e-3, RED_CROSS ", 3-0"}, .diameter = {0.6e-3, VENDOR "3-0"}},
    {.name = "round 26", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {25.9e-3, RED_CROSS ", 2-0"}, .diameter = {0.7e-3, VENDOR "2-0"}},
    {.name = "SH", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {26e-3, PACKET}, .diameter = {0.7e-3, VENDOR "2-0"}},
    {.name = "UR-6", .eighths = 5, .point = CG_POINT_TAPER,
     .length = {26e-3, PACKET ": 26 to 27 mm"}, .diameter = {0.7e-3, VENDOR "2-0"}},
    {.name = "round 36", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {36.4e-3, RED_CROSS ", 0"}, .diameter = {0.8e-3, VENDOR "0"}},
    {.name = "round 40", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {39.9e-3, RED_CROSS ", 1"}, .diameter = {0.9e-3, "estimate: a tenth of a millimetre above that for 0"}},
    {.name = "round 48", .eighths = 4, .point = CG_POINT_TAPER,
     .length = {48e-3, RED_CROSS ", 2"}, .diameter = {1e-3, "estimate: a tenth of a millimetre above that for 1"}},
    {.name = "liver 85", .eighths = 3, .point = CG_POINT_TAPER,
     .length = {85e-3, RED_CROSS ", 2, for the liver"}, .diameter = {1e-3, "estimate: as for 2"}},
};
// clang-format on
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

cg_needle cg_needle_kind_needle(const cg_needle_kind *kind)
{
    double arc = 2 * CG_PI * kind->eighths / EIGHTHS;
    return (cg_needle){.arc = arc,
                       .radius = kind->length.value / arc,
                       .diameter = kind->diameter.value,
                       .point_length = POINT_DIAMETERS * kind->diameter.value,
                       .point = kind->point,
                       .pieces = PIECES};
}

int cg_needle_catalogue_count(void)
{
    return KIND_COUNT;
}

bool cg_needle_catalogue_get(int index, cg_needle_kind *kind)
{
    if (index < 0 || index >= KIND_COUNT) {
        return false;
    }
    *kind = kinds[index];
    cg_needle needle = cg_needle_kind_needle(kind);
    kind->mass = (cg_sourced){cg_needle_mass(&needle, CG_NEEDLE_STEEL), MASS};
    return true;
}

bool cg_needle_catalogue_find(const char *text, cg_needle_kind *kind, char *suggestion, size_t room)
{
    const char *names[KIND_COUNT];
    for (int i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name;
    }
    return cg_needle_catalogue_get(cg_catalogue_match(text, names, KIND_COUNT, suggestion, room), kind);
}

const char *cg_needle_point_name(cg_needle_point point)
{
    switch (point) {
    case CG_POINT_TAPER:
        return "taper";
    case CG_POINT_CUTTING:
        return "cutting";
    case CG_POINT_REVERSE_CUTTING:
        return "reverse cutting";
    }
    return "unknown";
}
