// Writes SVG pictures: the frame, text and colours that plots and drawings share.
#ifndef CATGUT_SUPPORT_SVG_H
#define CATGUT_SUPPORT_SVG_H

#include <stdio.h>

// Fonts that some common system has, best first.
#define CG_SVG_FONTS "Inter, 'Helvetica Neue', 'Segoe UI', 'Noto Sans', 'DejaVu Sans', Arial, sans-serif"

// Colours that stay apart for colour-blind readers (the set of Okabe and Ito, darkest first).
typedef enum cg_hue { CG_INK, CG_BLUE, CG_VERMILION, CG_GREEN, CG_PURPLE, CG_ORANGE, CG_SKY, CG_HUE_COUNT } cg_hue;
const char *cg_hue_code(cg_hue hue);

// Red, green and blue, 0 to 1.
typedef struct cg_rgb {
    double r, g, b;
} cg_rgb;
// Between two colours: 0 is the first, 1 the second.
cg_rgb cg_rgb_mix(cg_rgb from, cg_rgb to, double share);
// "#rrggbb" into `code`.
void cg_rgb_code(cg_rgb colour, char code[8]);

// How a text is set.
typedef struct cg_text_style {
    double size;        // [px]
    const char *fill;   // colour code; NULL: ink
    const char *anchor; // "start", "middle" or "end"; NULL: start
    int weight;         // 400 is normal, 0 too
    double turn;        // [degrees] counter-clockwise about its anchor
} cg_text_style;

// Opens a picture of the given size on a light ground. The title and what is to be seen are for screen readers; the
// program that made it goes into its metadata.
void cg_svg_begin(FILE *out, double width, double height, const char *title, const char *description);
void cg_svg_end(FILE *out);
void cg_svg_text(FILE *out, double x, double y, cg_text_style style, const char *text);
// The same on a light ground, so that it can be read over a drawing.
void cg_svg_text_on_ground(FILE *out, double x, double y, cg_text_style style, const char *text);
// Text with the characters that XML reserves replaced; characters that XML forbids are left out.
void cg_svg_escape(FILE *out, const char *text);
// A guess of how wide a text gets, good enough to set a legend.
double cg_svg_text_width(const char *text, double size);
// The largest of 1, 2 or 5 times a power of ten that is not above the value.
double cg_round_step(double value);
// A bar that shows a length: the label names it, `length` is its size in pixels.
void cg_svg_scale_bar(FILE *out, double x, double y, double length, const char *label);
// A round length that takes about the wanted pixels at `pixels_per_metre`, with its name ("5 mm") in `label`.
double cg_scale_bar_length(double pixels_per_metre, double wanted_pixels, char *label, size_t label_size);

#endif
