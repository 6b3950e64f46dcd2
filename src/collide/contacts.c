// Contacts between chains: closest points, directions, and the reduction. See collide/contacts.h.
#include "collide/contacts.h"

#include "geometry/closest.h"

// Axes nearer than this share of the radii have no direction from one to the other.
#define COINCIDENT 1e-9
// [radii] Longer segments are not thinned by more than `close`, nearest first whatever carries: a stiff thread with
// segments of three radii sank in by 3 % of its radius otherwise, where 2 % is allowed.
#define LONG_SEGMENT 2.5

void cg_contact_list_layout(cg_contact_list *list, int capacity, cg_arena *arena)
{
    *list = (cg_contact_list){.capacity = capacity};
    list->items = cg_arena_push_array(arena, cg_contact, capacity);
}

void cg_contact_finder_layout(cg_contact_finder *finder, int capacity, cg_arena *arena)
{
    finder->capacity = capacity;
    finder->most_balls = capacity / 4;
    finder->balls = cg_arena_push_array(arena, cg_run_ball, finder->most_balls);
    finder->blocks = cg_arena_push_array(arena, cg_run_ball, finder->most_balls / CG_BLOCK_OF_BALLS + 1);
    finder->key = cg_arena_push_array(arena, double, capacity);
    finder->order = cg_arena_push_array(arena, int, capacity);
    finder->spare = cg_arena_push_array(arena, int, capacity);
    finder->dropped = cg_arena_push_array(arena, bool, capacity);
}

static cg_vec3 segment_vector(const cg_chain *chain, int segment)
{
    return v3_sub(chain->points[segment + 1], chain->points[segment]);
}

// The direction for axes that meet: across both, on the side of the last one.
static cg_vec3 direction_of_crossing(cg_vec3 u, cg_vec3 v, cg_vec3 last)
{
    cg_vec3 across = v3_cross(u, v);
    if (v3_dot(across, across) > 1e-20 * v3_dot(u, u) * v3_dot(v, v)) {
        across = v3_unit_or(across, v3(0, 0, 1));
        return v3_dot(across, last) < 0 ? v3_neg(across) : across;
    }
    // Parallel, or without length: the last direction as far as it is across.
    cg_vec3 along = v3_unit_or(v3_dot(u, u) > v3_dot(v, v) ? u : v, v3_zero());
    cg_vec3 kept = v3_add_scaled(last, -v3_dot(last, along), along);
    return v3_dot(kept, kept) > 1e-6 ? v3_unit_or(kept, v3(0, 0, 1)) : v3_any_normal(along);
}

// The contact of a pair whose closest points are known.
static cg_contact contact_at(const cg_chain *chains, const cg_segment_pair *pair, const cg_closest *closest,
                             cg_vec3 last)
{
    const cg_chain *a = &chains[pair->chain_a], *b = &chains[pair->chain_b];
    double distance = sqrt(closest->squared_distance), radii = a->radius + b->radius;
    cg_vec3 normal;
    if (distance > COINCIDENT * radii) {
        normal = v3_scale(1 / distance, v3_sub(closest->b, closest->a));
    } else {
        normal = direction_of_crossing(segment_vector(a, pair->segment_a), segment_vector(b, pair->segment_b), last);
    }
    return (cg_contact){*pair,    closest->s,       closest->t, closest->a, closest->b,
                        distance, distance - radii, normal,     false};
}

static cg_closest closest_of(const cg_chain *chains, const cg_segment_pair *pair)
{
    const cg_vec3 *p = chains[pair->chain_a].points + pair->segment_a;
    const cg_vec3 *q = chains[pair->chain_b].points + pair->segment_b;
    return cg_closest_segments(p[0], p[1], q[0], q[1]);
}

cg_contact cg_contact_of_pair(const cg_chain *chains, const cg_segment_pair *pair, cg_vec3 last)
{
    cg_closest closest = closest_of(chains, pair);
    return contact_at(chains, pair, &closest, last);
}

// Number of the contact of this pair in a list in order, or -1.
static int find_contact(const cg_contact_list *list, const cg_segment_pair *pair)
{
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2, order = compare_pairs(&list->items[middle].pair, pair);
        if (order == 0) {
            return middle;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return -1;
}

// The direction that the pair, or one beside it, had before; zero when there was none.
static cg_vec3 last_normal(const cg_contact_list *last, const cg_segment_pair *pair)
{
    static const int beside[9][2] = {{0, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    for (int k = 0; last && k < 9; k++) {
        cg_segment_pair other = *pair;
        other.segment_a += beside[k][0];
        other.segment_b += beside[k][1];
        int found = find_contact(last, &other);
        if (found >= 0) {
            return last->items[found].normal;
        }
    }
    return v3_zero();
}

// How sharply the chain turns at the vertex between segments i and i + 1: 0 when straight or at an end, up to 2.
static double turn_after(const cg_chain *chain, int i)
{
    if (i < 0 || i + 2 >= chain->count) {
        return 0;
    }
    cg_vec3 before = v3_unit_or(segment_vector(chain, i), v3_zero());
    cg_vec3 after = v3_unit_or(segment_vector(chain, i + 1), v3_zero());
    return v3_distance(before, after);
}

// True when the pair is left out: by the neighbour rule, or because both are inside. The distance is at most `most`; it
// is only computed when it matters.
static bool is_excluded(const cg_chain *chains, const cg_segment_pair *pair, const cg_neighbour_rule *rule, double most)
{
    if (are_in_spans(chains, pair)) {
        return true;
    }
    if (pair->chain_a != pair->chain_b) {
        return false;
    }
    const cg_chain *chain = &chains[pair->chain_a];
    int i = pair->segment_a, j = pair->segment_b;
    if (are_near_by_arc(chain, i, j, rule)) {
        return true;
    }
    if (!are_in_line(chain, i, j, most, rule)) {
        return false;
    }
    const cg_vec3 *p = chain->points + i, *q = chain->points + j;
    double distance = sqrt(cg_closest_segments(p[0], p[1], q[0], q[1]).squared_distance);
    return are_in_line(chain, i, j, distance, rule);
}

// One side of a contact: a place on a chain.
typedef struct place {
    const cg_chain *chain;
    int segment;
    double t;
} place;

// True when the distance goes on falling from the contact's place on one chain into the segment `step` (1 or -1) beside
// it, faster than the turns there leave in doubt. `away` points from the other place to this one. The turns are only
// looked at where they matter.
static bool falls_beyond(const cg_contact_rule *rule, place here, int step, cg_vec3 away, place other, bool carries)
{
    int neighbour = here.segment + step;
    if (neighbour < 0 || neighbour + 1 >= here.chain->count) {
        return false;
    }
    cg_vec3 onward = v3_scale(step, v3_unit_or(segment_vector(here.chain, neighbour), v3_zero()));
    double slope = -v3_dot(onward, away), hold = carries ? rule->hold : 1;
    if (!(slope > hold * rule->least_slope)) {
        return false;
    }
    if (slope > hold * rule->most_slope && rule->most_slope >= rule->least_slope) {
        return true;
    }
    double turns = turn_after(here.chain, step > 0 ? here.segment : here.segment - 1) +
                   turn_after(other.chain, other.t < 0.5 ? other.segment - 1 : other.segment);
    double tolerance = rule->turn_share * turns;
    tolerance = tolerance < rule->most_slope ? tolerance : rule->most_slope;
    tolerance = tolerance > rule->least_slope ? tolerance : rule->least_slope;
    return slope > hold * tolerance;
}

// True when a neighbouring pair that is not left out takes the contact over.
static bool is_handed_over(const cg_contact_rule *rule, const cg_chain *chains, const cg_contact *contact)
{
    const cg_segment_pair *pair = &contact->pair;
    place a = {&chains[pair->chain_a], pair->segment_a, contact->s};
    place b = {&chains[pair->chain_b], pair->segment_b, contact->t};
    if (contact->distance <= COINCIDENT * (a.chain->radius + b.chain->radius)) {
        return false;
    }
    int step_a = a.t >= 1 ? 1 : (a.t <= 0 ? -1 : 0), step_b = b.t >= 1 ? 1 : (b.t <= 0 ? -1 : 0);
    cg_segment_pair beside = *pair;
    beside.segment_a += step_a;
    if (step_a != 0 && falls_beyond(rule, a, step_a, v3_neg(contact->normal), b, contact->carries) &&
        !is_excluded(chains, &beside, &rule->neighbours, contact->distance)) {
        return true;
    }
    beside = *pair;
    beside.segment_b += step_b;
    return step_b != 0 && falls_beyond(rule, b, step_b, contact->normal, a, contact->carries) &&
           !is_excluded(chains, &beside, &rule->neighbours, contact->distance);
}

// Thinning

static double arc_at(const cg_chain *chain, int segment, double t)
{
    return chain->arc[segment] + t * (chain->arc[segment + 1] - chain->arc[segment]);
}

void cg_contact_finder_sort(cg_contact_finder *finder, int count)
{
    for (int i = 0; i < count; i++) {
        finder->order[i] = i;
    }
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = start + 2 * width < count ? start + 2 * width : count;
            for (int k = start, left = start, right = middle; k < end; k++) {
                bool take_left = left < middle && (right >= end || finder->key[finder->order[left]] <=
                                                                       finder->key[finder->order[right]]);
                finder->spare[k] = finder->order[take_left ? left++ : right++];
            }
        }
        int *swap = finder->order;
        finder->order = finder->spare;
        finder->spare = swap;
    }
}

static bool is_long(const cg_chain *chain, int segment)
{
    return chain->arc[segment + 1] - chain->arc[segment] > LONG_SEGMENT * chain->radius;
}

// Segments much longer than the thread is thick have few contacts, and none to spare.
static bool has_long_segments(const cg_chain *chains, const cg_segment_pair *pair)
{
    return is_long(&chains[pair->chain_a], pair->segment_a) && is_long(&chains[pair->chain_b], pair->segment_b);
}

// True when a contact that stays, `step` by `step` away in the list, is within the spacing along both chains.
static bool has_kept_beside(const cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                            const cg_contact_list *list, int number, int step)
{
    const cg_contact *contact = &list->items[number];
    const cg_chain *a = &chains[contact->pair.chain_a], *b = &chains[contact->pair.chain_b];
    double radius = a->radius < b->radius ? a->radius : b->radius;
    double narrow = rule->close < rule->spacing ? rule->close * radius : rule->spacing * radius;
    double wide = has_long_segments(chains, &contact->pair) ? narrow : rule->spacing * radius;
    double arc_a = arc_at(a, contact->pair.segment_a, contact->s);
    double arc_b = arc_at(b, contact->pair.segment_b, contact->t);
    for (int k = number + step; k >= 0 && k < list->count; k += step) {
        const cg_contact *other = &list->items[k];
        if (other->pair.chain_a != contact->pair.chain_a) {
            break;
        }
        // The whole segment is out of reach, and those after it too.
        int segment = other->pair.segment_a;
        double spacing = contact->carries && other->carries ? narrow : wide;
        if (step > 0 ? a->arc[segment] > arc_a + wide : a->arc[segment + 1] < arc_a - wide) {
            break;
        }
        if (!finder->dropped[k] && other->pair.chain_b == contact->pair.chain_b &&
            fabs(arc_at(a, segment, other->s) - arc_a) < spacing &&
            fabs(arc_at(b, other->pair.segment_b, other->t) - arc_b) < spacing) {
            return true;
        }
    }
    return false;
}

// Those that carry come first, then the nearest.
static void thin(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains, cg_contact_list *list)
{
    double farthest = 0;
    for (int i = 0; i < list->count; i++) {
        farthest = list->items[i].distance > farthest ? list->items[i].distance : farthest;
    }
    for (int i = 0; i < list->count; i++) {
        finder->key[i] = list->items[i].distance - (list->items[i].carries ? farthest : 0);
        finder->dropped[i] = true;
    }
    cg_contact_finder_sort(finder, list->count);
    for (int i = 0; i < list->count; i++) {
        int number = finder->order[i];
        finder->dropped[number] = has_kept_beside(finder, rule, chains, list, number, -1) ||
                                  has_kept_beside(finder, rule, chains, list, number, 1);
    }
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (!finder->dropped[i]) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

// The contact of a pair goes into the list, as far as it continues that of before, unless a neighbour takes it over.
static void consider(const cg_contact_rule *rule, const cg_chain *chains, const cg_segment_pair *pair,
                     const cg_closest *closest, const cg_contact_list *last, int capacity, cg_contact_list *found)
{
    cg_contact contact = contact_at(chains, pair, closest, v3_zero());
    double radii = chains[pair->chain_a].radius + chains[pair->chain_b].radius;
    if (last && contact.distance <= COINCIDENT * radii) {
        contact = contact_at(chains, pair, closest, last_normal(last, pair));
    }
    contact.carries = true; // as long as that it may be kept
    if (is_handed_over(rule, chains, &contact)) {
        return;
    }
    int before = last ? find_contact(last, pair) : -1;
    contact.carries = before >= 0 && last->items[before].carries && !has_long_segments(chains, pair);
    if (!contact.carries && is_handed_over(rule, chains, &contact)) {
        return;
    }
    if (found->count < capacity) {
        found->items[found->count++] = contact;
    } else {
        found->lost++;
    }
}

static int begin_list(const cg_contact_finder *finder, cg_contact_list *found)
{
    found->count = 0;
    found->lost = 0;
    return found->capacity < finder->capacity ? found->capacity : finder->capacity;
}

static bool end_list(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                     cg_contact_list *found)
{
    if (rule->spacing > 0) {
        thin(finder, rule, chains, found);
    }
    return found->lost == 0;
}

bool cg_contacts_find(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                      const cg_pair_list *pairs, const cg_contact_list *last, cg_contact_list *found)
{
    int capacity = begin_list(finder, found);
    for (int k = 0; k < pairs->count; k++) {
        cg_closest closest = closest_of(chains, &pairs->items[k]);
        consider(rule, chains, &pairs->items[k], &closest, last, capacity, found);
    }
    return end_list(finder, rule, chains, found);
}

bool cg_contacts_find_close(cg_contact_finder *finder, const cg_contact_rule *rule, const cg_chain *chains,
                            const cg_near *near, const cg_contact_list *last, cg_contact_list *found)
{
    int capacity = begin_list(finder, found);
    for (int k = 0; k < near->close_count; k++) {
        const cg_segment_pair *pair = &near->close[k].pair;
        const cg_closest *closest = &near->close[k].closest;
        bool in_line =
            pair->chain_a == pair->chain_b && are_in_line(&chains[pair->chain_a], pair->segment_a, pair->segment_b,
                                                          sqrt(closest->squared_distance), &rule->neighbours);
        if (!in_line) {
            consider(rule, chains, pair, closest, last, capacity, found);
        }
    }
    return end_list(finder, rule, chains, found);
}
