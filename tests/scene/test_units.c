// Quantities with units: exact conversions, and sentences for what is refused.
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/trig.h"
#include "harness.h"

TEST(quantities_convert_to_the_nearest_double)
{
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {
        {"0.11 mm", "m", 0.00011},
        {"0.11mm", "m", 0.00011},
        {"  0.11   mm  ", "m", 0.00011},
        {"22 um", "m", 22e-6},
        {"22 \xC2\xB5m", "m", 22e-6},
        {"22 \xCE\xBCm", "m", 22e-6},
        {"3 nm", "m", 3e-9},
        {"1.5 km", "m", 1500},
        {"2.5 dm", "m", 0.25},
        {"1e-3 m", "m", 0.001},
        {"-7 cm", "m", -0.07},
        {"0.5 g", "kg", 0.0005},
        {"3.7 mg", "kg", 3.7e-6},
        {"2 kg", "kg", 2},
        {"1 N", "N", 1},
        {"5.3 mN", "N", 5.3e-3},
        {"1 kg m/s2", "N", 1},
        {"1 kg*m*s^-2", "N", 1},
        {"1 kg\xC2\xB7m/s\xC2\xB2", "N", 1},
        {"2.5 GPa", "Pa", 2.5e9},
        {"0.9 N/mm2", "Pa", 0.9e6},
        {"1.14 g/cm3", "kg/m3", 1140},
        {"1.14 g/cm\xC2\xB3", "kg/m3", 1140},
        {"45.3 mg/m", "kg/m", 45.3e-6},
        {"9.81 m/s2", "m/s2", 9.81},
        {"9.81 m/s/s", "m/s2", 9.81},
        {"10 mm/s", "m/s", 0.01},
        {"1 ms", "s", 0.001},
        {"2 min", "s", 120},
        {"10 1/s", "1/s", 10},
        {"1 kHz", "1/s", 1000},
        {"0.3 mN mm2", "N m2", 0.3e-9},
        {"1 N m", "N m", 1},
        {"1 J", "N m", 1},
        {"400 N/m", "N/m", 400},
        {"20 um/N", "m/N", 20e-6},
        {"0.4 N/mm", "N/m", 400},
        {"1 rad", "rad", 1},
        {"20 mrad", "rad", 0.02},
        {"10 %", "", 0.1},
        {"1e300 pm", "m", 1e288},
        {"1e-320 Gm", "m", 1e-311},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = NAN;
        char message[256] = "";
        CHECK(cg_units_read(cases[i].text, cases[i].unit, &value, message, sizeof message));
        if (!CHECK_NEAR(value, cases[i].value, 0)) {
            printf("%s: %s\n", cases[i].text, message);
        }
    }
}

TEST(angles_convert_within_rounding)
{
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {{"180 deg", "rad", CG_PI},        {"5 deg", "rad", CG_PI / 36},
                 {"90\xC2\xB0", "rad", CG_PI / 2}, {"2 turns", "rad", 4 * CG_PI},
                 {"1 turn", "rad", 2 * CG_PI},     {"-0.25 turn", "rad", -CG_PI / 2},
                 {"6 deg/s", "rad/s", CG_PI / 30}, {"60 turns/min", "rad/s", 2 * CG_PI}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = NAN;
        char message[256];
        CHECK(cg_units_read(cases[i].text, cases[i].unit, &value, message, sizeof message));
        CHECK_NEAR(value, cases[i].value, 4e-16 * fabs(cases[i].value));
    }
}

TEST(what_is_refused_says_what_was_found_and_what_fits)
{
    static const struct {
        const char *text, *unit, *message;
    } cases[] = {
        {"1 N", "m", "found \"1 N\", a force; expected a length such as \"0.2 mm\""},
        {"0.2", "m", "found \"0.2\" without a unit; expected a length such as \"0.2 mm\""},
        {"mm", "m", "found \"mm\"; expected a length such as \"0.2 mm\""},
        {"0.2 mmm", "m",
         "found \"0.2 mmm\", whose unit is unknown; did you mean \"mm\"; expected a length such as \"0.2 mm\""},
        {"0.2 Mpa", "Pa",
         "found \"0.2 Mpa\", whose unit is unknown; did you mean \"MPa\"; expected a pressure such as \"2.5 GPa\""},
        {"3 g/cm3", "kg", "found \"3 g/cm3\", a density; expected a mass such as \"0.5 g\""},
        {"3 m4", "m", "found \"3 m4\", a quantity of another kind; expected a length such as \"0.2 mm\""},
        {"3 deg", "s", "found \"3 deg\", an angle; expected a time such as \"1 ms\""},
        {"0.5", "", "found \"0.5\", a string; expected a number such as 0.5"},
        {"1e400 m", "m", "found \"1e400 m\", too large for a number; expected a length such as \"0.2 mm\""},
        {"1 parsec", "m", "found \"1 parsec\", whose unit is unknown; expected a length such as \"0.2 mm\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        char message[256] = "";
        CHECK(!cg_units_read(cases[i].text, cases[i].unit, &value, message, sizeof message));
        CHECK_STR(message, cases[i].message);
    }
}

TEST(texts_that_are_no_quantity_are_refused)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "m",
                                        "1 ",
                                        "1  ",
                                        "+1 m",
                                        "1,5 m",
                                        ".5 m",
                                        "1. m",
                                        "01 m",
                                        "0x1 m",
                                        "1e m",
                                        "nan m",
                                        "inf m",
                                        "- 1 m",
                                        "1 m/",
                                        "1 /m",
                                        "1 //m",
                                        "1 m*",
                                        "1 *m",
                                        "1 m m0",
                                        "1 m^",
                                        "1 m^0",
                                        "1 m-",
                                        "1 m--1",
                                        "1 m^^1",
                                        "1 (m)",
                                        "1 m)",
                                        "1 m 2",
                                        "1 2 m",
                                        "1 m\t",
                                        "1 m\n",
                                        "1 mdeg",
                                        "1 kmin",
                                        "1 \xFFm",
                                        "1 \xC2m",
                                        "1 m\xB5",
                                        "1 m.m",
                                        "1 1/",
                                        "1 1",
                                        "1 m m m m m m m m m",
                                        "1 m9 m9 m9 m9 m9 m9 m9 m9 m9"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value;
        char message[256] = "";
        if (!CHECK(!cg_units_read(texts[i], "m", &value, message, sizeof message)) || !CHECK(message[0] != '\0')) {
            printf("accepted \"%s\"\n", texts[i]);
        }
    }
}

TEST(dimensions_of_units)
{
    cg_dimension d;
    CHECK(cg_units_dimension("N m2", &d));
    CHECK(d.length == 3 && d.mass == 1 && d.time == -2 && d.angle == 0);
    CHECK(cg_units_dimension("", &d));
    CHECK(d.length == 0 && d.mass == 0 && d.time == 0 && d.angle == 0);
    CHECK(cg_units_dimension("rad/s", &d));
    CHECK(d.length == 0 && d.mass == 0 && d.time == -1 && d.angle == 1);
    CHECK(!cg_units_dimension("furlong", &d));
    CHECK(!cg_units_dimension("N9 N9 N9 N9 N9 N9 N9", &d));
}
