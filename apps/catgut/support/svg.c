#include "support/svg.h"

#include <math.h>

#include "support/origin.h"
#include "support/out_file.h"

const char *cg_hue_code(cg_hue hue)
{
    static const char *const codes[CG_HUE_COUNT] = {
        [CG_INK] = "#2b2f36",    [CG_BLUE] = "#0072b2",   [CG_VERMILION] = "#d55e00", [CG_GREEN] = "#009e73",
        [CG_PURPLE] = "#b5508b", [CG_ORANGE] = "#c98500", [CG_SKY] = "#4aa3d8",
    };
    return codes[(int)hue >= 0 && hue < CG_HUE_COUNT ? hue : CG_INK];
}

cg_rgb cg_rgb_mix(cg_rgb from, cg_rgb to, double share)
{
    double rest = 1 - share;
    return (cg_rgb){from.r * rest + to.r * share, from.g * rest + to.g * share, from.b * rest + to.b * share};
}

static int colour_byte(double value)
{
    return (int)(255 * fmin(1, fmax(0, value)) + 0.5);
}

void cg_rgb_code(cg_rgb colour, char code[8])
{
    snprintf(code, 8, "#%02x%02x%02x", (unsigned)colour_byte(colour.r) & 255u, (unsigned)colour_byte(colour.g) & 255u,
             (unsigned)colour_byte(colour.b) & 255u);
}

void cg_svg_escape(FILE *out, const char *text)
{
    for (const char *at = text; *at; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '&') {
            fputs("&amp;", out);
        } else if (c == '<') {
            fputs("&lt;", out);
        } else if (c == '>') {
            fputs("&gt;", out);
        } else if (c == '"') {
            fputs("&quot;", out);
        } else if (c >= 0x20 || c == '\n' || c == '\t') {
            fputc(c, out);
        }
    }
}

void cg_svg_begin(FILE *out, double width, double height, const char *title, const char *description)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" CG_OUT_XML_MARK "\n", out);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 %g %g\"", width,
            height, width, height);
    fprintf(out, " font-family=\"%s\" role=\"img\">\n<title>", CG_SVG_FONTS);
    cg_svg_escape(out, title);
    fputs("</title>\n<desc>", out);
    cg_svg_escape(out, description);
    fputs("</desc>\n<metadata>", out);
    cg_svg_escape(out, cg_program_words());
    fprintf(out, "</metadata>\n<rect width=\"%g\" height=\"%g\" fill=\"#fdfcfa\"/>\n", width, height);
}

void cg_svg_end(FILE *out)
{
    fputs("</svg>\n", out);
}

void cg_svg_text(FILE *out, double x, double y, cg_text_style style, const char *text)
{
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\" fill=\"%s\"", x, y, style.size,
            style.fill ? style.fill : cg_hue_code(CG_INK));
    if (style.anchor) {
        fprintf(out, " text-anchor=\"%s\"", style.anchor);
    }
    if (style.weight) {
        fprintf(out, " font-weight=\"%d\"", style.weight);
    }
    if (style.turn != 0) {
        fprintf(out, " transform=\"rotate(%g %.2f %.2f)\"", -style.turn, x, y);
    }
    fputc('>', out);
    cg_svg_escape(out, text);
    fputs("</text>\n", out);
}

void cg_svg_text_on_ground(FILE *out, double x, double y, cg_text_style style, const char *text)
{
    fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"3\" fill=\"#fdfcfa\"", x - 4,
            y - style.size, cg_svg_text_width(text, style.size) + 8, 1.35 * style.size);
    fputs(" fill-opacity=\"0.85\"/>\n", out);
    cg_svg_text(out, x, y, style, text);
}

double cg_svg_text_width(const char *text, double size)
{
    int characters = 0;
    for (const char *at = text; *at; at++) {
        characters += ((unsigned char)*at & 0xC0) != 0x80;
    }
    return 0.56 * size * characters;
}

double cg_round_step(double value)
{
    double power = pow(10, floor(log10(value)));
    double leading = value / power;
    return power * (leading >= 5 ? 5 : leading >= 2 ? 2 : 1);
}

void cg_svg_scale_bar(FILE *out, double x, double y, double length, const char *label)
{
    fprintf(out, "<path d=\"M%.2f %.2fv8m0 -4h%.2fm0 -4v8\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", x,
            y - 4, length, cg_hue_code(CG_INK));
    cg_svg_text(out, x + length / 2, y - 9, (cg_text_style){.size = 13, .anchor = "middle"}, label);
}

double cg_scale_bar_length(double pixels_per_metre, double wanted_pixels, char *label, size_t label_size)
{
    double length = cg_round_step(wanted_pixels / pixels_per_metre);
    // A hair more than the unit itself, so that 0.001 m that rounded down still reads "1 mm".
    double shown = length * (1 + 1e-9);
    const char *unit = shown >= 1 ? "m" : shown >= 0.01 ? "cm" : shown >= 1e-3 ? "mm" : "\xc2\xb5m";
    double factor = shown >= 1 ? 1 : shown >= 0.01 ? 100 : shown >= 1e-3 ? 1e3 : 1e6;
    snprintf(label, label_size, "%.3g %s", length * factor, unit);
    return length * pixels_per_metre;
}
