// The way of a blade through tissue, when it is cut, and what that costs.
//
// The track is the edge at home, every third of a grain that it went; its last entry is where the edge is now. Motion
// along the edge sweeps nothing, so ways are measured across it. When the edge is a third of a grain from where it was
// at the last cut, the strip along the whole track is cut, which reaches some grains back: a face of the mesh is parted
// when all of its nodes are in the strip, and what was cut before stays as it is. A track ends when the edge leaves the
// tissue or turns round, and a new one begins; when it is drawn back along itself it is cut as deep as it was.
//
// Force. To lay open the area dA takes toughness dA. An edge of the length L in the tissue that goes the way d across
// itself lays open L d; so R = toughness L resists it, and drags the tissue along. As with friction, a force that turns
// round with the way makes the tissue chatter. So the tissue is drawn by a spring that gives way: with the strain z,
// the way of the blade against the tissue but never longer than z0, the force is R z / z0. The spring has to be softer
// than what it pulls at, since its force acts in the next step: z0 is at least R times some of the way C that the
// tissue goes in a step for a force of one.
#include "tool/blade.h"

// [grains] that the edge goes between entries of the track and between cuts...
static const double STRIDE = 1.0 / 3;
// ...less than which is no way at all...
static const double LEAST_WAY = 0.05;
// ...that a track reaches back...
static const double REACHES_BACK = 4;
// ...and that the tip is drawn back when it is cut as deep as it was.
static const double DRAWN_BACK = 0.25;
// ...and of an edge that is long enough to have a direction.
static const double LEAST_LENGTH = 0.2;
// [grains] The least z0, and the way of the tissue for R as a share of z0.
static const double LEAST_STRAIN = 0.05;
static const double SOFTNESS = 1;
// [grains] How far from the edge the tissue is dragged along.
static const double SPREAD = 3;
// Most looks at the edge in one sweep: a blade that goes farther is looked at more coarsely.
enum { MOST_LOOKS = 256 };

void cg_blade_begin(cg_blade *blade)
{
    *blade = (cg_blade){0};
}

static cg_vec3 direction(const cg_ruling *r)
{
    return v3_unit_or(v3_sub(r->tip, r->top), v3_zero());
}

// Along the longer of two: one that only just touches the tissue has no direction.
static cg_vec3 common_direction(const cg_ruling *a, const cg_ruling *b)
{
    return direction(v3_distance(a->top, a->tip) > v3_distance(b->top, b->tip) ? a : b);
}

static double across(cg_vec3 d, cg_vec3 u)
{
    return v3_length(v3_add_scaled(d, -v3_dot(d, u), u));
}

// [m] how far an edge is from another, across itself.
static double way_between(const cg_ruling *from, const cg_ruling *to)
{
    cg_vec3 u = common_direction(from, to);
    double top = across(v3_sub(to->top, from->top), u), tip = across(v3_sub(to->tip, from->tip), u);
    return top > tip ? top : tip;
}

static cg_vec3 middle_way(const cg_ruling *from, const cg_ruling *to)
{
    return v3_add(v3_sub(to->top, from->top), v3_sub(to->tip, from->tip));
}

// --- cutting ---

// Forgets what is farther back than a face of the mesh reaches.
static void shorten_track(cg_blade *blade, double grain)
{
    double way = 0;
    int first = blade->count - 1;
    while (first > 0 && way < REACHES_BACK * grain) {
        first--;
        way += way_between(&blade->track[first], &blade->track[first + 1]);
    }
    for (int i = first; i < blade->count; i++) {
        blade->track[i - first] = blade->track[i];
    }
    blade->count -= first;
    blade->fixed = blade->count;
}

static void cut(cg_blade *blade, cg_tissue *tissue)
{
    cg_vec3 path[CG_BLADE_MOST], down[CG_BLADE_MOST];
    for (int i = 0; i < blade->count; i++) {
        path[i] = blade->track[i].top;
        down[i] = v3_sub(blade->track[i].tip, blade->track[i].top);
    }
    if (blade->count >= 2) {
        cg_mesh_blade strip = {
            .path = path, .down = down, .count = blade->count, .at_home = true, .snap = CG_MESH_SNAP};
        cg_mesh_cut_result result;
        cg_status status = cg_tissue_cut_along(tissue, &strip, &result);
        blade->area += result.area + result.length * tissue->thickness;
        blade->full += status.code == CG_FULL;
        blade->cuts++;
    }
    shorten_track(blade, tissue->grain);
}

static bool is_cut_due(const cg_blade *blade, double grain)
{
    int n = blade->count;
    return n > blade->fixed && way_between(&blade->track[blade->fixed - 1], &blade->track[n - 1]) >= STRIDE * grain;
}

// --- the track ---

static void begin_track(cg_blade *blade, const cg_ruling *first)
{
    blade->track[0] = *first;
    blade->count = blade->fixed = 1;
}

// Ends the track: cuts what is left of it.
static void finish_track(cg_blade *blade, cg_tissue *tissue)
{
    if (blade->count > blade->fixed) {
        cut(blade, tissue);
    }
    blade->count = blade->fixed = 0;
}

// The edge stands where it was: it may have gone deeper, or be drawn back along itself.
static void slide_along(cg_blade *blade, cg_tissue *tissue, const cg_ruling *now)
{
    cg_ruling *last = &blade->track[blade->count - 1];
    cg_vec3 u = common_direction(last, now);
    double deeper = v3_dot(v3_sub(now->tip, last->tip), u);
    if (now->has_tip && deeper < -DRAWN_BACK * tissue->grain) {
        if (blade->count > blade->fixed) {
            cut(blade, tissue); // as deep as it was
        }
        blade->track[blade->count - 1].tip = now->tip;
        return;
    }
    last->tip = deeper > 0 ? now->tip : last->tip;
    last->top = v3_dot(v3_sub(now->top, last->top), u) < 0 ? now->top : last->top;
}

// True when the last stretch of the track goes back along the one before.
static bool has_turned(const cg_blade *blade)
{
    int n = blade->count;
    const cg_ruling *track = blade->track;
    return n >= 3 && v3_dot(middle_way(&track[n - 3], &track[n - 2]), middle_way(&track[n - 2], &track[n - 1])) < 0;
}

// The last entry is where the edge is; when it is a stride from the one before it stays, and a new one begins.
static void go_on(cg_blade *blade, cg_tissue *tissue, const cg_ruling *now)
{
    double grain = tissue->grain;
    if (blade->count == 0) {
        begin_track(blade, now);
        return;
    }
    cg_ruling *last = &blade->track[blade->count - 1];
    if (way_between(last, now) < LEAST_WAY * grain) {
        slide_along(blade, tissue, now);
        return;
    }
    if (blade->count > blade->fixed && blade->count >= 2 && way_between(last - 1, last) < STRIDE * grain) {
        *last = *now;
        return;
    }
    if (has_turned(blade)) {
        cg_ruling turn = last[-1], here = *last;
        finish_track(blade, tissue);
        begin_track(blade, &turn);
        blade->track[blade->count++] = here;
    }
    if (blade->count == CG_BLADE_MOST) {
        cut(blade, tissue);
    }
    if (blade->count < CG_BLADE_MOST) {
        blade->count++;
    }
    blade->track[blade->count - 1] = *now;
}

// --- forces ---

// What is inside, taken together: sums over the samples, by what they resist.
typedef struct held_tissue {
    double tear;           // [N] R
    cg_vec3 middle, moved; // [m] where it is, and how far it went in this step
    double give;           // [m/N] C, if all around it stood still
} held_tissue;

static held_tissue take_together(const cg_tissue *tissue, const cg_edge_place *place, double time_step)
{
    const cg_mesh *mesh = tissue->mesh;
    held_tissue held = {0};
    for (int k = 0; k < place->sample_count; k++) {
        held.tear += place->samples[k].tear;
    }
    for (int k = 0; k < place->sample_count && held.tear > 0; k++) {
        const cg_edge_sample *s = &place->samples[k];
        double share = s->tear / held.tear;
        for (int i = 0; i < 4 && s->nodes[i] >= 0; i++) {
            int node = s->nodes[i];
            double part = share * s->weights[i];
            double firmness = mesh->mass[node] / (time_step * time_step) + tissue->springs.own_stiffness[node] / 3;
            held.give += mesh->fixed[node] ? 0 : part * s->weights[i] / firmness;
            held.middle = v3_add_scaled(held.middle, part, mesh->position[node]);
            held.moved = v3_add_scaled(held.moved, part * time_step, tissue->velocity[node]);
        }
    }
    return held;
}

// How much of a push a node gets, before all is scaled to the whole: by its mass and its distance from the edge.
static double part_of_push(const cg_tissue *tissue, const cg_edge *edge, int node)
{
    cg_vec3 d = v3_sub(tissue->mesh->position[node], edge->tip), along = v3_sub(edge->heel, edge->tip);
    double square = v3_dot(along, along), t = square > 0 ? v3_dot(d, along) / square : 0;
    d = v3_add_scaled(d, -(t < 0 ? 0 : (t > 1 ? 1 : t)), along);
    double far = SPREAD * tissue->grain, near = 1 - v3_dot(d, d) / (far * far);
    return near > 0 ? tissue->mesh->mass[node] * near * near : 0;
}

// A push on the nodes around the edge: on the nearest alone it would crush their cells.
static void spread(cg_tissue *tissue, const cg_edge *edge, cg_vec3 push)
{
    double sum = 0;
    for (int i = 0; i < tissue->mesh->node_count; i++) {
        sum += part_of_push(tissue, edge, i);
    }
    for (int i = 0; i < tissue->mesh->node_count && sum > 0; i++) {
        double part = part_of_push(tissue, edge, i);
        if (part > 0) {
            cg_tissue_push_node(tissue, i, v3_scale(part / sum, push));
        }
    }
}

// Drags the tissue along, and notes what that does to the blade.
static void drag(cg_blade *blade, cg_tissue *tissue, const cg_edge_place *place, cg_edge before, cg_edge after,
                 double time_step)
{
    held_tissue held = take_together(tissue, place, time_step);
    if (!(held.tear > 0)) {
        blade->strain = v3_zero();
        return;
    }
    cg_vec3 along = v3_sub(after.heel, after.tip), u = v3_unit_or(along, v3_zero());
    double length = v3_length(along), share = length > 0 ? v3_dot(v3_sub(held.middle, after.tip), u) / length : 0;
    cg_vec3 tip = v3_sub(after.tip, before.tip), heel = v3_sub(after.heel, before.heel);
    cg_vec3 way = v3_sub(v3_add_scaled(tip, share, v3_sub(heel, tip)), held.moved);
    double least = LEAST_STRAIN * tissue->grain, soft = SOFTNESS * held.tear * held.give;
    double most = least > soft ? least : soft;
    cg_vec3 strain = v3_add(blade->strain, way);
    strain = v3_add_scaled(strain, -v3_dot(strain, u), u);
    double size = v3_length(strain);
    blade->strain = size > most ? v3_scale(most / size, strain) : strain;
    cg_vec3 push = v3_scale(held.tear / most, blade->strain);
    spread(tissue, &after, push);
    blade->force = v3_neg(push);
    blade->firmness = held.tear / most;
    blade->resists = held.tear;
}

// --- the verbs ---

static cg_edge edge_between(const cg_edge *before, const cg_edge *after, double t)
{
    return (cg_edge){v3_add_scaled(before->tip, t, v3_sub(after->tip, before->tip)),
                     v3_add_scaled(before->heel, t, v3_sub(after->heel, before->heel))};
}

static bool is_finite(const cg_edge *edge)
{
    return v3_length(edge->tip) <= 1e6 && v3_length(edge->heel) <= 1e6;
}

static int looks_needed(const cg_tissue *tissue, const cg_edge *before, const cg_edge *after)
{
    double tip = v3_distance(before->tip, after->tip), heel = v3_distance(before->heel, after->heel);
    double looks = (tip > heel ? tip : heel) / (STRIDE * tissue->grain);
    return looks < MOST_LOOKS - 1 ? 1 + (int)looks : MOST_LOOKS;
}

void cg_blade_sweep(cg_blade *blade, cg_tissue *tissue, cg_edge before, cg_edge after, double time_step)
{
    blade->force = v3_zero();
    blade->inside = blade->firmness = blade->resists = 0;
    if (!is_finite(&before) || !is_finite(&after) || !(tissue->grain > 0) || !(time_step > 0)) {
        return;
    }
    cg_tissue_adapt(tissue);
    cg_edge_near near = cg_edge_find_near(tissue, before, after, blade->count > 0);
    cg_edge_place place = {0};
    int looks = near.triangles + near.cells > 0 ? looks_needed(tissue, &before, &after) : 0;
    for (int k = blade->count == 0 ? 0 : 1; k <= looks && looks > 0; k++) {
        uint64_t cuts = blade->cuts;
        cg_edge_locate(tissue, &near, edge_between(&before, &after, (double)k / looks), &place);
        if (place.is_near && v3_distance(place.ruling.top, place.ruling.tip) >= LEAST_LENGTH * tissue->grain) {
            go_on(blade, tissue, &place.ruling);
        } else {
            finish_track(blade, tissue);
        }
        if (blade->cuts != cuts) { // other cells are near now
            near = cg_edge_find_near(tissue, before, after, true);
        }
    }
    if (looks == 0) {
        finish_track(blade, tissue);
        return;
    }
    cg_edge_locate(tissue, &near, after, &place);
    blade->inside = place.inside;
    drag(blade, tissue, &place, before, after, time_step);
    if (is_cut_due(blade, tissue->grain)) {
        cut(blade, tissue);
    }
}

void cg_blade_end(cg_blade *blade, cg_tissue *tissue)
{
    if (tissue != NULL && tissue->grain > 0) {
        finish_track(blade, tissue);
    }
    blade->count = blade->fixed = 0;
    blade->strain = blade->force = v3_zero();
    blade->inside = blade->firmness = blade->resists = 0;
}

void cg_blade_visit_state(cg_archive *archive, cg_blade *blade)
{
    int place = (int)blade->tissue.index, count = cg_archive_length(archive, blade->count, CG_BLADE_MOST);
    cg_archive_int(archive, &place, 0, 64);
    for (int i = 0; i < count; i++) {
        cg_archive_vec3(archive, &blade->track[i].top);
        cg_archive_vec3(archive, &blade->track[i].tip);
        cg_archive_bool(archive, &blade->track[i].has_tip);
    }
    if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
        blade->count = count;
        blade->tissue = (cg_handle){(unsigned)place, 0};
    }
    cg_archive_int(archive, &blade->fixed, 0, count);
    cg_archive_vec3(archive, &blade->strain);
    cg_archive_vec3(archive, &blade->force);
    cg_archive_double(archive, &blade->firmness);
    cg_archive_double(archive, &blade->resists);
    cg_archive_double(archive, &blade->inside);
    cg_archive_double(archive, &blade->area);
    cg_archive_u64(archive, &blade->cuts);
    cg_archive_u64(archive, &blade->full);
}
