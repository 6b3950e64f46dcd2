// Contacts and their reduction: what is dropped must be stood for by something nearer beside it.
#include "collide/contacts.h"

#include <stdio.h>
#include <string.h>

#include "geometry/closest.h"
#include "laid_out.h"
#include "tangle.h"

enum { MOST = 30000 };

static cg_broad broad;
static cg_pair_list pairs;
static cg_contact_finder finder;
static cg_contact_list contacts, last;
static cg_shape_contact_list shape_contacts;
static void *memory;
static tangle t;

static void lay_out(cg_arena *arena, int unused)
{
    (void)unused;
    cg_broad_layout(&broad, TANGLE_CHAINS, TANGLE_CHAINS * TANGLE_POINTS, MOST, arena);
    cg_pair_list_layout(&pairs, MOST, arena);
    cg_contact_finder_layout(&finder, MOST, arena);
    cg_contact_list_layout(&contacts, MOST, arena);
    cg_contact_list_layout(&last, MOST, arena);
    cg_shape_contact_list_layout(&shape_contacts, MOST, arena);
}

static void start(void)
{
    memory = take_laid_out(lay_out, 0);
}

static void stop(void)
{
    give_laid_out(memory);
}

static bool find(const cg_contact_rule *rule, double reach)
{
    broad.rule = rule->neighbours;
    return cg_broad_find(&broad, t.chains, t.count, reach, &pairs) &&
           cg_contacts_find(&finder, rule, t.chains, &pairs, NULL, &contacts);
}

static cg_closest closest_of(const cg_segment_pair *p)
{
    const cg_vec3 *a = t.points[p->chain_a] + p->segment_a, *b = t.points[p->chain_b] + p->segment_b;
    return cg_closest_segments(a[0], a[1], b[0], b[1]);
}

static int find_pair(const cg_segment_pair *p)
{
    for (int low = 0, high = pairs.count; low < high;) {
        int middle = (low + high) / 2, order = compare_pairs(&pairs.items[middle], p);
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

static double arc_of(int chain, int segment, double share)
{
    return t.arc[chain][segment] + share * (t.arc[chain][segment + 1] - t.arc[chain][segment]);
}

// True when a contact that was kept stands for this pair: itself, or a nearer one within the spacing along both chains.
static bool is_stood_for(const cg_segment_pair *p, double spacing)
{
    cg_closest here = closest_of(p);
    double distance = sqrt(here.squared_distance);
    for (int k = 0; k < contacts.count; k++) {
        const cg_contact *c = &contacts.items[k];
        if (compare_pairs(&c->pair, p) == 0) {
            return true;
        }
        if (c->pair.chain_a == p->chain_a && c->pair.chain_b == p->chain_b && c->distance <= distance + 1e-12 &&
            fabs(arc_of(p->chain_a, c->pair.segment_a, c->s) - arc_of(p->chain_a, p->segment_a, here.s)) < spacing &&
            fabs(arc_of(p->chain_b, c->pair.segment_b, c->t) - arc_of(p->chain_b, p->segment_b, here.t)) < spacing) {
            return true;
        }
    }
    return false;
}

// Floods from a pair over neighbouring pairs that are in the list and not farther, until one is stood for.
static bool leads_to_a_contact(int from, double spacing)
{
    static int queue[MOST];
    static int seen[MOST];
    static int mark;
    int head = 0, tail = 0;
    double start_distance = sqrt(closest_of(&pairs.items[from]).squared_distance);
    mark++;
    queue[tail++] = from;
    seen[from] = mark;
    while (head < tail) {
        cg_segment_pair p = pairs.items[queue[head++]];
        if (is_stood_for(&p, spacing)) {
            return true;
        }
        for (int k = 0; k < 9; k++) {
            cg_segment_pair beside = {p.chain_a, p.segment_a + k / 3 - 1, p.chain_b, p.segment_b + k % 3 - 1};
            int number = find_pair(&beside);
            if (number >= 0 && seen[number] != mark &&
                sqrt(closest_of(&beside).squared_distance) <= start_distance + 1e-12) {
                seen[number] = mark;
                queue[tail++] = number;
            }
        }
    }
    return false;
}

static void check_contact(const cg_contact *c)
{
    cg_closest closest = closest_of(&c->pair);
    double distance = sqrt(closest.squared_distance);
    CHECK(c->s == closest.s && c->t == closest.t);
    CHECK_NEAR(c->distance, distance, 0);
    CHECK_NEAR(c->gap, distance - t.chains[c->pair.chain_a].radius - t.chains[c->pair.chain_b].radius, 1e-15);
    CHECK_NEAR(v3_length(c->normal), 1, 1e-12);
    cg_vec3 reached = v3_add_scaled(c->point_a, distance, c->normal);
    CHECK_NEAR(v3_distance(reached, c->point_b), 0, 1e-9 * t.chains[0].radius);
}

TEST(every_pair_leads_downhill_to_a_contact)
{
    start();
    uint64_t state = 91;
    long listed = 0, kept = 0;
    for (int i = 0; i < test_count(250, 2500); i++) {
        tangle_make(&t, 60, &state);
        cg_contact_rule rule = contact_rule_default();
        if (i % 3 == 0) {
            rule.neighbours.excluded_arc = test_random(&state, 0, 6);
            rule.neighbours.straightness = test_random(&state, 0.3, 1);
            rule.turn_share = test_random(&state, 0, 1);
            rule.least_slope = test_random(&state, 0, 0.1);
            rule.most_slope = test_random(&state, 0.1, 0.5);
            rule.spacing = i % 2 ? 0 : test_random(&state, 0, 1);
        }
        if (!find(&rule, t.chains[0].radius * (i % 2 ? 0.2 : 2))) {
            continue;
        }
        double spacing = 0; // follows the thinner chain of a pair: the thickest one bounds it
        for (int k = 0; k < t.count; k++) {
            spacing = fmax(spacing, rule.spacing * t.chains[k].radius);
        }
        bool good = true;
        for (int k = 0; k < pairs.count && good; k++) {
            good = CHECK(leads_to_a_contact(k, spacing));
        }
        for (int k = 0; k < contacts.count; k++) {
            check_contact(&contacts.items[k]);
            good &= k == 0 || CHECK(compare_pairs(&contacts.items[k - 1].pair, &contacts.items[k].pair) < 0);
        }
        if (!good) {
            printf("tangle %d\n", i);
            break;
        }
        listed += pairs.count;
        kept += contacts.count;
    }
    printf("%ld pairs, %ld contacts\n", listed, kept);
    CHECK(3 * kept < listed);
    stop();
}

TEST(crossings_inside_both_segments_are_always_kept)
{
    start();
    uint64_t state = 92;
    int seen = 0;
    for (int i = 0; i < test_count(200, 2000); i++) {
        tangle_make(&t, 60, &state);
        cg_contact_rule rule = contact_rule_default();
        rule.spacing = 0;
        if (!find(&rule, t.chains[0].radius)) {
            continue;
        }
        for (int k = 0; k < pairs.count; k++) {
            cg_closest c = closest_of(&pairs.items[k]);
            if (c.s > 0 && c.s < 1 && c.t > 0 && c.t < 1) {
                seen++;
                CHECK(is_stood_for(&pairs.items[k], 0));
            }
        }
    }
    CHECK(seen > 100);
    stop();
}

// How near two contacts are along their chains, the larger of both ways; infinite when their chains differ.
static double arc_apart(const cg_contact *c, const cg_contact *d)
{
    if (c->pair.chain_a != d->pair.chain_a || c->pair.chain_b != d->pair.chain_b) {
        return INFINITY;
    }
    return fmax(
        fabs(arc_of(c->pair.chain_a, c->pair.segment_a, c->s) - arc_of(d->pair.chain_a, d->pair.segment_a, d->s)),
        fabs(arc_of(c->pair.chain_b, c->pair.segment_b, c->t) - arc_of(d->pair.chain_b, d->pair.segment_b, d->t)));
}

static double thinner_radius(const cg_contact *c)
{
    return fmin(t.chains[c->pair.chain_a].radius, t.chains[c->pair.chain_b].radius);
}

// Segments longer than 2.5 radii: there the nearest stay, whatever carries.
static bool is_long(const cg_contact *c)
{
    const double *a = t.arc[c->pair.chain_a] + c->pair.segment_a, *b = t.arc[c->pair.chain_b] + c->pair.segment_b;
    return a[1] - a[0] > 2.5 * t.chains[c->pair.chain_a].radius && b[1] - b[0] > 2.5 * t.chains[c->pair.chain_b].radius;
}

// Is `c` among the contacts, or is one of them that carries within `close` of it?
static bool is_kept_or_crowded(const cg_contact *c, double close)
{
    for (int k = 0; k < contacts.count; k++) {
        const cg_contact *d = &contacts.items[k];
        if (compare_pairs(&c->pair, &d->pair) == 0 || (d->carries && arc_apart(c, d) < close * thinner_radius(c))) {
            return true;
        }
    }
    return false;
}

// Contacts that carried stay, though nearer ones are beside them; only of two very near ones one goes. The others keep
// their distance from them.
TEST(what_carries_is_kept)
{
    start();
    uint64_t state = 95;
    long carrying = 0, crowded = 0;
    for (int i = 0; i < test_count(150, 2500); i++) {
        tangle_make(&t, 60, &state);
        cg_contact_rule rule = contact_rule_default();
        double spacing = rule.spacing;
        rule.spacing = 0;
        if (!find(&rule, t.chains[0].radius)) {
            continue;
        }
        last.count = contacts.count;
        for (int k = 0; k < contacts.count; k++) {
            last.items[k] = contacts.items[k];
            last.items[k].carries = test_random(&state, 0, 1) < 0.3;
            carrying += last.items[k].carries;
        }
        rule.spacing = spacing;
        CHECK(cg_contacts_find(&finder, &rule, t.chains, &pairs, &last, &contacts));
        bool good = true;
        for (int k = 0; k < last.count && good; k++) {
            good = !last.items[k].carries || is_long(&last.items[k]) ||
                   CHECK(is_kept_or_crowded(&last.items[k], rule.close));
        }
        for (int k = 0; k < contacts.count && good; k++) {
            for (int m = 0; m < k && good; m++) {
                const cg_contact *c = &contacts.items[k], *d = &contacts.items[m];
                bool close = (c->carries && d->carries) || is_long(c) || is_long(d);
                double least = close ? rule.close : spacing, apart = arc_apart(c, d);
                crowded += apart < spacing * thinner_radius(c);
                good = CHECK(apart >= least * thinner_radius(c));
            }
        }
        if (!good) {
            printf("tangle %d\n", i);
            break;
        }
    }
    CHECK(carrying > 1000 && crowded > 10);
    stop();
}

static void straight(int chain, int points, double step, double radius, cg_vec3 middle, cg_vec3 along)
{
    for (int i = 0; i < points; i++) {
        t.points[chain][i] = v3_add_scaled(middle, (i - 0.5 * points + 0.31) * step, along);
    }
    tangle_finish_chain(&t, chain, points, radius);
}

TEST(two_straight_threads_that_cross_have_one_contact)
{
    start();
    cg_contact_rule rule = contact_rule_default();
    for (int k = -3; k <= 3; k++) { // segments from r/8 to 8r
        t.count = 2;
        double step = pow(2, k);
        straight(0, 100, step, 1, v3_zero(), v3(1, 0, 0));
        straight(1, 90, step, 1, v3(0, 0, 1.9), v3(0.6, 0.8, 0));
        CHECK(find(&rule, 2));
        CHECK_INT(contacts.count, 1);
        CHECK_NEAR(contacts.items[0].distance, 1.9, 1e-12);
        CHECK_NEAR(contacts.items[0].normal.z, 1, 1e-12);
        CHECK_NEAR(contacts.items[0].gap, -0.1, 1e-12);
    }
    stop();
}

TEST(parallel_threads_have_no_more_contacts_than_the_spacing_allows)
{
    start();
    cg_contact_rule rule = contact_rule_default();
    for (int k = -4; k <= 0; k++) {
        t.count = 2;
        double step = pow(2, k), length = 200 * step;
        straight(0, 201, step, 1, v3_zero(), v3(1, 0, 0));
        straight(1, 201, step, 1, v3(0.3 * step, 2, 0), v3(1, 0, 0));
        CHECK(find(&rule, 0.5));
        CHECK(contacts.count <= 2 * length / fmax(step, 0.25) + 2);
        CHECK(contacts.count >= 0.8 * length / fmax(step, 1));
    }
    stop();
}

// A thread that turns back on itself; the legs come together towards the bend, where neighbours are left out.
TEST(a_hairpin_keeps_its_contact_beside_the_excluded_pairs)
{
    start();
    cg_contact_rule rule = contact_rule_default();
    t.count = 1;
    double step = 0.5;
    for (int k = 0; k < 100; k++) {
        double x = k < 50 ? (50 - k) * step : (k - 49) * step, slope = 0.02 * x;
        t.points[0][k] = v3(x, k < 50 ? slope : -slope, 0);
    }
    tangle_finish_chain(&t, 0, 100, 1);
    CHECK(find(&rule, 2));
    double least = INFINITY, kept = INFINITY;
    for (int k = 0; k < pairs.count; k++) {
        least = fmin(least, sqrt(closest_of(&pairs.items[k]).squared_distance));
    }
    for (int k = 0; k < contacts.count; k++) {
        kept = fmin(kept, contacts.items[k].distance);
    }
    CHECK(pairs.count > 0 && contacts.count > 0);
    CHECK_NEAR(kept, least, 1e-12);
    stop();
}

TEST(axes_that_meet_have_a_direction_that_goes_on)
{
    start();
    t.count = 2;
    straight(0, 5, 1, 0.4, v3_zero(), v3(1, 0, 0));
    straight(1, 5, 1, 0.4, v3_zero(), v3(0, 1, 0));
    cg_segment_pair pair = {0, 2, 1, 2};
    for (int side = -1; side <= 1; side += 2) {
        cg_contact c = cg_contact_of_pair(t.chains, &pair, v3(0.1, 0.2, side));
        CHECK_NEAR(c.distance, 0, 1e-15);
        CHECK_NEAR(c.normal.z, side, 1e-12);
    }
    // The last direction is found in the list, also at the pair beside.
    cg_contact_rule rule = contact_rule_default();
    for (int side = -1; side <= 1; side += 2) {
        for (int shift = 0; shift < 2; shift++) {
            last.count = 1;
            last.items[0] = (cg_contact){.pair = {0, 2, 1, 2 - shift}, .normal = v3(0, 0, side)};
            CHECK(cg_broad_find(&broad, t.chains, t.count, 0.1, &pairs));
            CHECK(cg_contacts_find(&finder, &rule, t.chains, &pairs, &last, &contacts));
            CHECK(contacts.count > 0 && contacts.items[0].distance < 1e-15);
            CHECK_NEAR(contacts.items[0].normal.z, side, 1e-12);
        }
    }
    // Along each other: as much of the last direction as is across.
    straight(1, 5, 1, 0.4, v3_zero(), v3(1, 0, 0));
    cg_contact c = cg_contact_of_pair(t.chains, &pair, v3(0.6, 0, -0.8));
    CHECK_NEAR(c.normal.z, -1, 1e-12);
    c = cg_contact_of_pair(t.chains, &pair, v3_zero());
    CHECK_NEAR(v3_length(c.normal), 1, 1e-12);
    CHECK_NEAR(c.normal.x, 0, 1e-12);
    stop();
}

// A chain comes past another one, nearest to it in the middle of a segment, and goes away in the next. A span between
// two holes touches it as any other segment does: it may lie bare. Only to another span it leaves no contact, and then
// the segment behind has one of its own.
TEST(a_span_takes_contacts_over_but_from_a_span)
{
    start();
    static const cg_vec3 past[4] = {{-10, 0, 0}, {-5, 0, 0.5}, {1.5, 0, 1}, {7.5, 0, 2}};
    static const cg_vec3 across[2] = {{0, -3, 0}, {0, 3, 0}};
    static const unsigned char hidden[3] = {CG_SEEN, CG_INSIDE, CG_SEEN}, inside[1] = {CG_INSIDE};
    cg_contact_rule rule = contact_rule_default();
    for (int spans = 0; spans <= 2; spans++) {
        t.count = 2;
        memcpy(t.points[0], past, sizeof past);
        memcpy(t.points[1], across, sizeof across);
        tangle_finish_chain(&t, 0, 4, 1);
        tangle_finish_chain(&t, 1, 2, 1);
        t.chains[0].hidden = spans > 0 ? hidden : NULL;
        t.chains[1].hidden = spans > 1 ? inside : NULL;
        CHECK(find(&rule, 1));
        int behind = 0;
        for (int i = 0; i < contacts.count; i++) {
            behind += contacts.items[i].pair.segment_a == 2;
        }
        CHECK_INT(behind, spans == 2);
        t.chains[0].hidden = t.chains[1].hidden = NULL;
    }
    stop();
}

TEST(a_full_list_of_contacts_is_reported)
{
    start();
    uint64_t state = 93;
    cg_contact_rule rule = contact_rule_default();
    t.count = 1;
    tangle_wander(&t, 0, 300, 1, 1, 6, 0.5, &state);
    CHECK(find(&rule, 1));
    int all = contacts.count;
    CHECK(all > 10);
    cg_contact_list small = {contacts.items, 0, 10, 0};
    CHECK(!cg_contacts_find(&finder, &rule, t.chains, &pairs, NULL, &small));
    CHECK(small.count <= 10 && small.lost > 0);
    stop();
}

TEST(a_thread_flat_on_a_plane_touches_at_every_vertex)
{
    start();
    cg_contact_rule rule = contact_rule_default();
    cg_placed_shape plane = {shape_half_space(), transform_identity()};
    t.count = 1;
    for (int k = 0; k < 50; k++) {
        t.points[0][k] = v3(k, 0, 0.99 + 0.001 * (k % 2));
    }
    tangle_finish_chain(&t, 0, 50, 1);
    CHECK(cg_shape_contacts_find(&finder, &rule, t.chains, 1, &plane, 1, 0.5, &shape_contacts));
    CHECK_INT(shape_contacts.count, 50);
    for (int k = 0; k < shape_contacts.count; k++) {
        const cg_shape_contact *c = &shape_contacts.items[k];
        CHECK_NEAR(c->point.x, k, 1e-12);
        CHECK_NEAR(c->normal.z, 1, 1e-12);
        CHECK_NEAR(c->gap, c->point.z - 1, 1e-12);
    }
    // Standing on one end: one contact.
    for (int k = 0; k < 50; k++) {
        t.points[0][k] = v3(0.1 * k, 0, 1 + 0.5 * k);
    }
    tangle_finish_chain(&t, 0, 50, 1);
    CHECK(cg_shape_contacts_find(&finder, &rule, t.chains, 1, &plane, 1, 0.5, &shape_contacts));
    CHECK_INT(shape_contacts.count, 1);
    CHECK(shape_contacts.items[0].segment == 0 && shape_contacts.items[0].t == 0);
    stop();
}

TEST(a_thread_wound_round_a_rod_touches_once_a_segment)
{
    start();
    cg_contact_rule rule = contact_rule_default();
    cg_placed_shape rod = {shape_capsule(5, 50), transform_identity()};
    t.count = 1;
    for (int k = 0; k < 200; k++) {
        double angle = 0.05 * k;
        t.points[0][k] = v3(6 * cos(angle), 6 * sin(angle), 0.01 * k);
    }
    tangle_finish_chain(&t, 0, 200, 1);
    CHECK(cg_shape_contacts_find(&finder, &rule, t.chains, 1, &rod, 1, 0.5, &shape_contacts));
    // The two ends are tolerated as vertices beside the last segments.
    CHECK(shape_contacts.count >= 199 && shape_contacts.count <= 201);
    stop();
}

TEST(the_deepest_place_at_a_shape_is_always_a_contact)
{
    start();
    uint64_t state = 94;
    cg_contact_rule rule = contact_rule_default();
    int touching = 0;
    for (int i = 0; i < test_count(500, 5000); i++) {
        t.count = 1;
        double step = test_random(&state, 0.02, 0.4), curl = test_random(&state, 0, 0.7);
        tangle_wander(&t, 0, test_random_int(&state, 2, 60), 0.05, step, 1, curl, &state);
        const cg_shape kinds[4] = {shape_sphere(0.5), shape_capsule(0.2, 0.7), shape_box(v3(0.5, 0.2, 0.6)),
                                   shape_half_space()};
        cg_placed_shape placed = {kinds[i % 4], {random_vec3(&state, 1), quat_identity()}};
        cg_vec3 axis = random_unit(&state);
        placed.pose.rotation = quat_from_axis_angle(axis, test_random(&state, -3, 3));
        double reach = 0.02, least = INFINITY, found = INFINITY;
        for (int k = 0; k + 1 < t.chains[0].count; k++) {
            const cg_vec3 *p = t.points[0] + k;
            least = fmin(least, cg_shape_distance_segment(&placed.shape, &placed.pose, p[0], p[1]).distance);
        }
        CHECK(cg_shape_contacts_find(&finder, &rule, t.chains, 1, &placed, 1, reach, &shape_contacts));
        for (int k = 0; k < shape_contacts.count; k++) {
            const cg_shape_contact *c = &shape_contacts.items[k];
            found = fmin(found, c->distance);
            CHECK_NEAR(cg_shape_distance_point(&placed.shape, &placed.pose, c->point).distance, c->distance, 1e-12);
            CHECK_NEAR(v3_distance(segment_point(t.points[0][c->segment], t.points[0][c->segment + 1], c->t), c->point),
                       0, 1e-12);
        }
        CHECK((shape_contacts.count > 0) == (least < 0.05 + reach));
        if (shape_contacts.count > 0) {
            touching++;
            CHECK_NEAR(found, least, 1e-9);
        }
    }
    CHECK(touching > 100);
    stop();
}

// A thread that turns by 150 degrees at one point, as it may where it goes through a hole: its two sides overlap beside
// the point for 7.7 radii, and must not push each other apart there.
TEST(the_two_sides_of_a_hole_do_not_touch)
{
    enum { SIDE = 24, COUNT = 2 * SIDE + 1 };
    const double r = 1e-4, step = 0.7 * r;
    cg_vec3 points[COUNT];
    double arc[COUNT];
    unsigned char hidden[COUNT] = {0}, spanned[COUNT] = {0};
    for (int i = 0; i < COUNT; i++) {
        double along = step * (i - SIDE);
        arc[i] = step * i;
        points[i] = v3(fabs(along) * cos(CG_PI / 12), along * sin(CG_PI / 12), 0);
        hidden[i] = CG_AT_HOLE;
        spanned[i] = i == SIDE ? CG_INSIDE : CG_AT_HOLE;
    }
    cg_neighbour_rule rule = neighbour_rule_default();
    cg_chain at_hole = {points, COUNT, r, arc, hidden}, seen = {points, COUNT, r, arc, NULL};
    cg_chain through = {points, COUNT, r, arc, spanned};
    int overlapping = 0, touching = 0;
    for (int i = 0; i < SIDE; i++) {
        for (int j = SIDE; j + 1 < COUNT; j++) {
            bool overlaps = v3_distance(points[i + 1], points[j]) < 2 * r;
            overlapping += overlaps;
            touching += overlaps && !are_near_by_arc(&seen, i, j, &rule);
            CHECK(!overlaps || are_near_by_arc(&at_hole, i, j, &rule));
            // Across a span there are two holes; up to it there is one, and all that touches no surface is its mouth.
            CHECK(are_near_by_arc(&through, i, j, &rule) == (j == SIDE || are_near_by_arc(&seen, i, j, &rule)));
        }
    }
    CHECK_INT(overlapping, 24);
    CHECK_INT(touching, 13);                                      // without the hole
    CHECK(!are_near_by_arc(&at_hole, SIDE - 9, SIDE + 9, &rule)); // farther away they are two strands again
}
