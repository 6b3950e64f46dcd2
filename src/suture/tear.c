#include "suture/tear.h"

#include <limits.h>
#include <math.h>

#include "base/vec3.h"
#include "geometry/box.h"
#include "geometry/mesh_edit.h"
#include "geometry/triangle.h"
#include "suture/anchor_point.h"
#include "thread/slide.h"

// [m] The distance from an edge that the resistance of materials is given for, and the largest that counts: bites are
// not taken deeper, and nobody has measured farther.
static const double GIVEN_AT = 5e-3, MOST_DISTANCE = 10e-3;
// [of the force that begins it] A tear that runs stops below this. It makes the force step down, as figures of tearing
// show; nearer to 1 it creeps.
static const double ARREST = 0.4;
// [grains] between spans that are remembered and between cuts...
static const double STRIDE = 1.0 / 3;
// ...that strips reach beyond the surface: less, and an edge that lies in it may be missed; more nicks the other lip.
static const double BEYOND = 0.1;
// ...that the walls of a tear are from the span in them by rounding: what is nearer ahead is no edge...
static const double IN_WALL = 1e-6;
// ...and by which holes are ahead of a cut that was just made, so that they are not on its tip.
static const double AHEAD = 0.05;
// Places along a span at which it is looked ahead.
enum { SAMPLES = 8 };
// [of a triangle] Rounding of weights.
static const double ON_EDGE = -1e-9;
// [m] No tear is farther from home, nor longer, as no blade is.
static const double FARTHEST = 1e6;

bool cg_tear_is_possible(const cg_tissue *tissue)
{
    bool is_possible = tissue->tear_force > 0;
    for (int layer = 0; layer < CG_TISSUE_MOST_LAYERS; layer++) {
        is_possible = is_possible || tissue->tear_resistance[layer] > 0;
    }
    return is_possible && (tissue->mesh->cell_count > 0 || tissue->model == CG_TISSUE_SKIN);
}

// --- the bite ---

static cg_vec3 place_on(const cg_mesh *mesh, const cg_vec3 *places, const cg_thread_anchor *a)
{
    const int *n = mesh->triangles[a->triangle].nodes;
    const cg_vec3 corners[3] = {places[n[0]], places[n[1]], places[n[2]]};
    return triangle_point(corners, a->weights);
}

// Where the surface looks at an anchor; at a node of a skin that of its triangles which looks most in a direction.
static cg_vec3 normal_at(const cg_tissue *tissue, const cg_thread_anchor *a, cg_vec3 direction)
{
    const cg_mesh *mesh = tissue->mesh;
    if (mesh->cell_count == 0) {
        const cg_mesh_point point = cg_anchor_point(a);
        return cg_tear_skin_normal(tissue, &point, direction);
    }
    const int *n = mesh->triangles[a->triangle].nodes;
    const cg_vec3 corners[3] = {mesh->position[n[0]], mesh->position[n[1]], mesh->position[n[2]]};
    return v3_unit_or(triangle_normal(corners), v3_zero());
}

// A way in the world, as it is at home in the cell behind an anchor. Weights are linear in places, so the change of
// weights along the way, by the homes of the corners, is that.
static cg_vec3 way_at_home(const cg_mesh *mesh, const cg_thread_anchor *a, cg_vec3 way)
{
    int cell = mesh->triangles[a->triangle].cell;
    if (cell < 0) {
        return cg_tear_skin_way(mesh, a->triangle, way);
    }
    const int *n = mesh->cells[cell].nodes;
    double here[4] = {0}, there[4] = {0};
    cg_vec3 start = mesh->position[n[0]], sum = v3_zero();
    cg_mesh_is_in_cell(mesh, cell, start, here);
    cg_mesh_is_in_cell(mesh, cell, v3_add(start, way), there);
    for (int k = 0; k < 4; k++) {
        sum = v3_add_scaled(sum, there[k] - here[k], mesh->home[n[k]]);
    }
    return v3_unit_or(sum, v3_zero()); // zero: the cell is flat, the other one decides
}

static cg_vec3 across(cg_vec3 v, cg_vec3 unit)
{
    return v3_add_scaled(v, -v3_dot(v, unit), unit);
}

static cg_vec3 along(const cg_span *span)
{
    return v3_unit_or(v3_sub(span->ends[1], span->ends[0]), v3_zero());
}

static double length_of(const cg_span *span)
{
    return v3_distance(span->ends[0], span->ends[1]);
}

bool cg_tear_find_bite(const cg_thread *thread, const cg_tissue *tissue, int k, cg_pulled_bite *bite)
{
    const cg_mesh *mesh = tissue->mesh;
    const cg_thread_anchor *a = &thread->slide->anchors[k], *b = a + 1;
    if (k + 1 >= cg_slide_count(thread) || a->tissue != b->tissue || !a->straight[1]) {
        return false;
    }
    cg_span now = {{place_on(mesh, mesh->position, a), place_on(mesh, mesh->position, b)}};
    cg_vec3 u = along(&now);
    bool is_inside = v3_dot(u, v3_sub(normal_at(tissue, b, u), normal_at(tissue, a, v3_neg(u)))) > 0;
    *bite = (cg_pulled_bite){.home = {{place_on(mesh, mesh->home, a), place_on(mesh, mesh->home, b)}},
                             .pull = across(v3_add(a->force, b->force), u)};
    bite->force = v3_length(bite->pull);
    if (!is_inside || !(bite->force > 0)) {
        return false;
    }
    cg_vec3 unit = v3_scale(1 / bite->force, bite->pull);
    cg_vec3 way = v3_add(way_at_home(mesh, a, unit), way_at_home(mesh, b, unit));
    bite->way = v3_unit_or(across(way, along(&bite->home)), v3_zero());
    return v3_dot(bite->way, bite->way) > 0;
}

// --- lines through the surface at home ---

// Where a line from a place goes through a triangle.
typedef struct crossing {
    double at;     // [m] along the line, from the place
    double facing; // above 0: it goes out there
    double weights[3];
} crossing;

static bool find_crossing(const cg_vec3 corners[3], cg_vec3 place, cg_vec3 unit, crossing *found)
{
    cg_vec3 normal = triangle_normal(corners);
    double square = v3_dot(normal, normal);
    found->facing = v3_dot(normal, unit);
    if (!(found->facing * found->facing > 1e-12 * square)) {
        return false; // along it, or a triangle without area
    }
    found->at = v3_dot(normal, v3_sub(corners[0], place)) / found->facing;
    cg_vec3 x = v3_add_scaled(place, found->at, unit);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        cg_vec3 p = corners[(k + 1) % 3], q = corners[(k + 2) % 3];
        double weight = v3_dot(normal, v3_cross(v3_sub(q, p), v3_sub(x, p))) / square;
        if (weight < ON_EDGE) {
            return false;
        }
        sum += found->weights[k] = weight > 0 ? weight : 0;
    }
    for (int k = 0; k < 3; k++) {
        found->weights[k] /= sum;
    }
    return true;
}

// Notes on which sides of a way each node at home is, in memory of the mesh that only edits use besides: all triangles
// and cells of the mesh are asked for it in every step, by several nodes each.
static void note_sides(const cg_mesh *mesh, const cg_box *way)
{
    for (int i = 0; i < mesh->node_count; i++) {
        mesh->node_beyond[i] = box_sides_beyond(way, mesh->home[i]);
    }
}

// Whether the boxes of some nodes at home and of that way meet: nearly all do not.
static bool is_near(const cg_mesh *mesh, const int *nodes, int count)
{
    unsigned char beyond = mesh->node_beyond[nodes[0]];
    for (int k = 1; k < count; k++) {
        beyond &= mesh->node_beyond[nodes[k]];
    }
    return beyond == 0;
}

// --- what it takes ---

static cg_vec3 sample_of(const cg_span *span, int k)
{
    return v3_add_scaled(span->ends[0], (k + 0.5) / SAMPLES, v3_sub(span->ends[1], span->ends[0]));
}

// The way to the surface ahead from each sample: to where the tissue ends at home, which the lips of a cut are too.
// The span of a skin is where the walls of its own tear meet, which are no edge before it.
static void find_distances(const cg_tissue *tissue, const cg_pulled_bite *bite, double distances[SAMPLES])
{
    const cg_mesh *mesh = tissue->mesh;
    double nearest = mesh->cell_count > 0 ? 0 : IN_WALL * tissue->grain;
    cg_box way = box_of(bite->home.ends, 2);
    for (int end = 0; end < 2; end++) {
        box_take(&way, v3_add_scaled(bite->home.ends[end], MOST_DISTANCE, bite->way));
    }
    for (int k = 0; k < SAMPLES; k++) {
        distances[k] = MOST_DISTANCE;
    }
    note_sides(mesh, &way);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        if (!is_near(mesh, n, 3)) {
            continue;
        }
        const cg_vec3 corners[3] = {mesh->home[n[0]], mesh->home[n[1]], mesh->home[n[2]]};
        for (int k = 0; k < SAMPLES; k++) {
            crossing c;
            if (find_crossing(corners, sample_of(&bite->home, k), bite->way, &c) && c.facing > 0 && c.at >= nearest) {
                distances[k] = fmin(distances[k], c.at);
            }
        }
    }
}

static bool is_in_cell_at_home(const cg_mesh *mesh, int cell, cg_vec3 place)
{
    const int *n = mesh->cells[cell].nodes;
    bool is_in = true;
    for (int face = 0; face < 4 && is_in; face++) {
        const int *f = cg_mesh_cell_faces[face];
        const cg_vec3 corners[3] = {mesh->home[n[f[0]]], mesh->home[n[f[1]]], mesh->home[n[f[2]]]};
        is_in = v3_dot(triangle_normal(corners), v3_sub(place, corners[0])) <= 0;
    }
    return is_in;
}

// The layer that each sample is in; where it is in none, as beside a lip that is not flat, that of the one before.
static void find_layers(const cg_mesh *mesh, const cg_span *span, int layers[SAMPLES])
{
    cg_box way = box_of(span->ends, 2);
    for (int k = 0; k < SAMPLES; k++) {
        layers[k] = -1;
    }
    note_sides(mesh, &way);
    for (int cell = 0, left = SAMPLES; cell < mesh->cell_count && left > 0; cell++) {
        if (is_near(mesh, mesh->cells[cell].nodes, 4)) {
            for (int k = 0; k < SAMPLES; k++) {
                if (layers[k] < 0 && is_in_cell_at_home(mesh, cell, sample_of(span, k))) {
                    layers[k] = mesh->cells[cell].layer % CG_TISSUE_MOST_LAYERS;
                    left--;
                }
            }
        }
    }
    for (int k = 0; k < SAMPLES; k++) {
        layers[k] = layers[k] >= 0 ? layers[k] : (k > 0 ? layers[k - 1] : 0);
    }
}

// [N/m] that a layer bears so far from the edge.
static double bears(const cg_tissue *tissue, int layer, double distance)
{
    double resistance = tissue->tear_resistance[layer], strength = tissue->strength[layer];
    double tears = resistance * sqrt(distance / GIVEN_AT);
    return !(resistance > 0) ? HUGE_VAL : (strength > 0 ? fmin(tears, strength * distance) : tears);
}

// [N/m] that the weakest layer bears there.
static double least_bears(const cg_tissue *tissue, double distance)
{
    double least = HUGE_VAL;
    for (int layer = 0; layer < CG_TISSUE_MOST_LAYERS; layer++) {
        least = tissue->tear_resistance[layer] > 0 ? fmin(least, bears(tissue, layer, distance)) : least;
    }
    return least;
}

// What the distances say; the layers of the samples are looked up, or all are the weakest one when there are none.
static cg_tear_ahead reckon(const cg_tissue *tissue, const cg_pulled_bite *bite, const double distances[SAMPLES],
                            const int *layers)
{
    double part = length_of(&bite->home) / SAMPLES;
    cg_tear_ahead ahead = {.force = tissue->tear_force};
    for (int k = 0; k < SAMPLES; k++) {
        ahead.farthest = fmax(ahead.farthest, distances[k]);
        ahead.mean += distances[k] / SAMPLES;
        if (!(tissue->tear_force > 0)) {
            ahead.force +=
                part * (layers != NULL ? bears(tissue, layers[k], distances[k]) : least_bears(tissue, distances[k]));
        }
    }
    return ahead;
}

static cg_tear_ahead reckon_with_layers(const cg_tissue *tissue, const cg_pulled_bite *bite,
                                        const double distances[SAMPLES])
{
    int layers[SAMPLES] = {0};
    if (!(tissue->tear_force > 0)) {
        find_layers(tissue->mesh, &bite->home, layers);
    }
    return reckon(tissue, bite, distances, layers);
}

cg_tear_ahead cg_tear_look_ahead(const cg_tissue *tissue, const cg_pulled_bite *bite)
{
    double distances[SAMPLES];
    find_distances(tissue, bite, distances);
    return reckon_with_layers(tissue, bite, distances);
}

bool cg_tear_begins(const cg_tear *tear, const cg_tissue *tissue, const cg_pulled_bite *bite, cg_tear_ahead *ahead)
{
    double distances[SAMPLES], share = tear != NULL && tear->is_running ? ARREST : 1;
    find_distances(tissue, bite, distances);
    *ahead = reckon(tissue, bite, distances, NULL);
    if (bite->force < share * ahead->force) {
        return false; // also if all of it were the weakest layer: nearly always
    }
    *ahead = reckon_with_layers(tissue, bite, distances);
    return bite->force >= share * ahead->force;
}

// --- the tear ---

cg_span cg_tear_shift(const cg_span *span, cg_vec3 way)
{
    return (cg_span){{v3_add(span->ends[0], way), v3_add(span->ends[1], way)}};
}

double cg_tear_way_between(const cg_span *from, const cg_span *to)
{
    return 0.5 * v3_length(v3_add(v3_sub(to->ends[0], from->ends[0]), v3_sub(to->ends[1], from->ends[1])));
}

// The last span of the track is where the thread is; when it is a stride from the one before, it stays.
static void note_span(cg_tear *tear, const cg_span *span, double stride)
{
    int n = tear->count;
    bool is_moving = n > tear->fixed && cg_tear_way_between(&tear->track[n - 2], &tear->track[n - 1]) < stride;
    if (!is_moving && n == CG_TEAR_MOST) {
        for (int i = 1; i < n; i++) {
            tear->track[i - 1] = tear->track[i];
        }
        tear->count--;
        tear->fixed -= tear->fixed > 1;
    }
    tear->count += !is_moving;
    tear->track[tear->count - 1] = *span;
}

static bool is_cut_due(const cg_tear *tear, double stride)
{
    return tear->count > tear->fixed &&
           cg_tear_way_between(&tear->track[tear->fixed - 1], &tear->track[tear->count - 1]) >= stride;
}

// The strip reaches `beyond` [m] past both ends of the spans. False when the mesh is full.
static bool cut_strip(cg_tear *tear, cg_tissue *tissue, double beyond)
{
    cg_vec3 path[CG_TEAR_MOST], down[CG_TEAR_MOST];
    for (int i = 0; i < tear->count; i++) {
        const cg_span *span = &tear->track[i];
        cg_vec3 u = along(span);
        path[i] = v3_add_scaled(span->ends[0], -beyond, u);
        down[i] = v3_sub(v3_add_scaled(span->ends[1], beyond, u), path[i]);
    }
    cg_mesh_blade strip = {.path = path, .down = down, .count = tear->count, .at_home = true, .snap = CG_MESH_SNAP};
    cg_mesh_cut_result result;
    bool is_whole = cg_tissue_cut_along(tissue, &strip, &result).code == CG_OK;
    tear->fixed = tear->count;
    tear->parted += result.parted;
    return is_whole;
}

// A tear that is through has parted the edge. Where it was shorter than an edge of the mesh, and no face was all in its
// strip, it is made longer by one, and then wider as well.
static void part_edge(cg_tear *tear, cg_tissue *tissue, cg_vec3 way)
{
    double beyond = BEYOND * tissue->grain;
    if (tear->count > tear->fixed) {
        cut_strip(tear, tissue, beyond);
    }
    if (tear->parted == 0) {
        cg_span behind = cg_tear_shift(&tear->track[0], v3_scale(-tissue->grain, way));
        for (int i = tear->count < CG_TEAR_MOST ? tear->count++ : 0; i > 0; i--) { // full: it takes the first's place
            tear->track[i] = tear->track[i - 1];
        }
        tear->track[0] = behind;
        cut_strip(tear, tissue, beyond);
    }
    if (tear->parted == 0) {
        cut_strip(tear, tissue, tissue->grain);
    }
}

// Where the line of a span is inside the tissue: of all stretches of it the one that has most in common with the span.
// False when that is shorter than `least`.
static bool find_holes(const cg_tissue *tissue, const cg_span *span, double least, cg_mesh_point holes[2])
{
    const cg_mesh *mesh = tissue->mesh;
    cg_vec3 u = along(span), place = span->ends[0];
    double length = length_of(span), reach = tissue->grain, longest = 0;
    const cg_vec3 line[2] = {v3_add_scaled(place, -reach, u), v3_add_scaled(span->ends[1], reach, u)};
    cg_box way = box_of(line, 2);
    note_sides(mesh, &way);
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *n = mesh->triangles[t].nodes;
        const cg_vec3 corners[3] = {mesh->home[n[0]], mesh->home[n[1]], mesh->home[n[2]]};
        crossing in, out, best = {.at = HUGE_VAL};
        int other = -1;
        if (!is_near(mesh, n, 3) || !find_crossing(corners, place, u, &in) || in.facing > 0) {
            continue;
        }
        for (int s = 0; s < mesh->triangle_count; s++) { // the nearest way out behind this way in
            const int *m = mesh->triangles[s].nodes;
            const cg_vec3 others[3] = {mesh->home[m[0]], mesh->home[m[1]], mesh->home[m[2]]};
            if (is_near(mesh, m, 3) && find_crossing(others, place, u, &out) && out.facing > 0 && out.at > in.at &&
                out.at < best.at) {
                best = out;
                other = s;
            }
        }
        double common = fmin(best.at, length + reach) - fmax(in.at, -reach);
        if (other >= 0 && common > longest && best.at - in.at >= least) {
            longest = common;
            holes[0] = (cg_mesh_point){t, {in.weights[0], in.weights[1], in.weights[2]}};
            holes[1] = (cg_mesh_point){other, {best.weights[0], best.weights[1], best.weights[2]}};
        }
    }
    return longest > 0;
}

int cg_tear_parts_of(const cg_mesh *mesh)
{
    return mesh->node_count + mesh->link_count + mesh->cell_count + mesh->triangle_count;
}

bool cg_tear_is_stuck(const cg_tear *tear, const cg_tissue *tissue)
{
    return tear->full > 0 && tear->full == cg_tear_parts_of(tissue->mesh);
}

cg_tear_outcome cg_tear_go_on(cg_tear *tear, cg_tissue *tissue, const cg_pulled_bite *bite, const cg_tear_ahead *ahead,
                              double time_step, double least, cg_mesh_point holes[2])
{
    if (tissue->mesh->cell_count == 0) {
        return cg_tear_skin_go_on(tear, tissue, bite, ahead, time_step, holes);
    }
    const cg_tear before = *tear;
    double stride = STRIDE * tissue->grain, step = CG_TEAR_SPEED * time_step;
    bool is_last = step >= ahead->farthest;
    step = is_last ? ahead->farthest + BEYOND * tissue->grain : step;
    cg_span next = cg_tear_shift(&bite->home, v3_scale(step, bite->way));
    if (tear->count == 0) {
        tear->track[0] = bite->home;
        tear->count = tear->fixed = 1;
    }
    tear->is_running = true;
    tear->full = 0;
    note_span(tear, &next, stride);
    bool is_cut = is_last || is_cut_due(tear, stride);
    if (is_cut && !cut_strip(tear, tissue, BEYOND * tissue->grain)) {
        *tear = before;
        tear->is_running = false;
        tear->full = cg_tear_parts_of(tissue->mesh);
        return CG_TEAR_STUCK;
    }
    tear->length += step;
    tear->area += step * length_of(&bite->home);
    cg_span line = cg_tear_shift(&next, v3_scale(is_cut ? AHEAD * tissue->grain : 0, bite->way));
    if (!is_last && find_holes(tissue, &line, least, holes)) {
        return CG_TEAR_GOES_ON;
    }
    part_edge(tear, tissue, bite->way);
    return CG_TEAR_THROUGH;
}

void cg_tear_forget_way(cg_tear *tear)
{
    tear->count = tear->fixed = 0;
}

// --- state ---

bool cg_tear_is_sound(const cg_tear *tear)
{
    bool is_begun = tear->fixed >= 1 && tear->fixed <= tear->count, is_ok = is_begun || tear->count + tear->fixed == 0;
    for (int i = 0; i < tear->count && is_ok; i++) {
        const cg_vec3 *ends = tear->track[i].ends;
        is_ok = v3_length(ends[0]) <= FARTHEST && v3_length(ends[1]) <= FARTHEST;
    }
    return is_ok && tear->length >= 0 && tear->length <= FARTHEST && tear->area >= 0 &&
           tear->area <= FARTHEST * FARTHEST;
}

void cg_tear_visit_state(cg_archive *archive, cg_tear *tear)
{
    cg_archive_bool(archive, &tear->is_running);
    cg_archive_int(archive, &tear->count, 0, CG_TEAR_MOST);
    cg_archive_int(archive, &tear->fixed, 0, CG_TEAR_MOST);
    for (int i = 0; i < CG_TEAR_MOST; i++) {
        cg_archive_vec3(archive, &tear->track[i].ends[0]);
        cg_archive_vec3(archive, &tear->track[i].ends[1]);
    }
    cg_archive_int(archive, &tear->parted, 0, 1 << 30);
    cg_archive_double(archive, &tear->length);
    cg_archive_double(archive, &tear->area);
    cg_archive_int(archive, &tear->full, 0, INT_MAX);
}
