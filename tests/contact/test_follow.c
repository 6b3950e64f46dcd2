// Knots in threads whose spacing follows them.
#include "contact/knot_rig.h"
#include "world/world.h"

enum { HAND = 4 }; // vertices that a hand holds

// 60 mm of 3-0 nylon with an overhand knot.
static bool tie(knot_rig *rig, double spacing, bool follow)
{
    cg_curve_def curve = cg_curve_def_default();
    curve.spacing = spacing;
    curve.gap = 4 * curve.radius;
    curve.tail = 24e-3;
    cg_world_def world = cg_world_def_default();
    world.max_contacts = 200;
    cg_thread_def thread = cg_thread_def_default();
    thread.friction = 0.3;
    thread.spacing = (cg_spacing){.follow = follow, .fine = 0.11e-3, .coarse = 16 * 0.11e-3};
    return knot_rig_tie(rig, &curve, &world, &thread);
}

// Hands that hold the outermost vertices, each `way` outwards from where it began.
static void hold(knot_rig *rig, double way)
{
    int count = knot_rig_count(rig, 0);
    for (int end = 0; end < 2; end++) {
        bool last = rig->curve.pulled[end].last;
        const cg_vec3 *start = rig->start + (last ? rig->curve.point_count[0] - 1 : 0);
        for (int h = 0; h < HAND; h++) {
            cg_vec3 target = v3_add_scaled(start[last ? -h : h], way, rig->curve.pull[end]);
            cg_thread_hold(rig->world, rig->threads[0], last ? count - 1 - h : h, target);
        }
    }
}

static double tension(const knot_rig *rig)
{
    double sum = 0;
    int count = knot_rig_count(rig, 0);
    bool last = rig->curve.pulled[0].last;
    for (int h = 0; h < HAND; h++) {
        int vertex = last ? count - 1 - h : h;
        sum += v3_dot(cg_thread_hold_force(rig->world, rig->threads[0], vertex), rig->curve.pull[0]);
    }
    return sum;
}

// Rest length from the first to the last place where a contact carries force.
static double length_in_knot(const knot_rig *rig)
{
    const double *arcs = cg_thread_arcs(rig->world, rig->threads[0], NULL);
    double first = 1, last = 0;
    for (int i = 0; i < cg_world_contact_count(rig->world); i++) {
        cg_contact_info contact;
        cg_world_get_contact(rig->world, i, &contact);
        for (int side = 0; side < 2 && v3_length(contact.force) > 0; side++) {
            double from = arcs[contact.segments[side]], to = arcs[contact.segments[side] + 1];
            double arc = from + contact.fractions[side] * (to - from);
            first = arc < first ? arc : first;
            last = arc > last ? arc : last;
        }
    }
    return last - first;
}

static double pull_tight(knot_rig *rig, int steps, double way)
{
    double worst = 0;
    for (int step = 0; step < steps; step++) {
        double share = 1.25 * (step + 1) / steps;
        hold(rig, (share < 1 ? share : 1) * way);
        cg_world_step(rig->world);
        double overlap = step % 10 == 0 ? knot_rig_overlap(rig) : 0;
        worst = overlap > worst ? overlap : worst;
    }
    return worst;
}

// Tied with segments of a diameter, and pulled: the same knot, as tight, as in a thread of a radius all along.
TEST(an_overhand_is_pulled_as_tight_as_in_a_fine_thread)
{
    knot_rig fine, follows;
    if (tie(&fine, 0.11e-3, false) && tie(&follows, 0.22e-3, true)) {
        double slack = 9.6e-3;
        CHECK(pull_tight(&fine, 150, 0.5 * slack) < 0.05);
        CHECK(pull_tight(&follows, 150, 0.5 * slack) < 0.05);
        CHECK(tension(&fine) > 1);
        CHECK_NEAR(tension(&follows), tension(&fine), 0.06 * tension(&fine));
        CHECK_NEAR(length_in_knot(&follows), length_in_knot(&fine), 0.3e-3);
        CHECK_INT(knot_rig_determinant(&follows), 3);
        CHECK(knot_rig_count(&follows, 0) < knot_rig_count(&fine, 0) / 2);
        // In the knot every segment is as short as asked for.
        const double *rest = cg_thread_rest_lengths(follows.world, follows.threads[0], NULL);
        for (int i = 0; i < cg_world_contact_count(follows.world); i++) {
            cg_contact_info contact;
            cg_world_get_contact(follows.world, i, &contact);
            CHECK(rest[contact.segments[0]] < 1.25 * 0.11e-3 && rest[contact.segments[1]] < 1.25 * 0.11e-3);
        }
    }
    knot_rig_free(&fine);
    knot_rig_free(&follows);
}

// Contacts by where they are on the thread.
typedef struct placed_force {
    double arcs[2];
    cg_vec3 force;
} placed_force;

static int list_forces(const knot_rig *rig, placed_force *list, int room)
{
    const double *arcs = cg_thread_arcs(rig->world, rig->threads[0], NULL);
    int count = cg_world_contact_count(rig->world);
    for (int i = 0; i < count && i < room; i++) {
        cg_contact_info contact;
        cg_world_get_contact(rig->world, i, &contact);
        for (int side = 0; side < 2; side++) {
            double from = arcs[contact.segments[side]], to = arcs[contact.segments[side] + 1];
            list[i].arcs[side] = from + contact.fractions[side] * (to - from);
        }
        list[i].force = contact.force;
    }
    return count;
}

static cg_vec3 force_at(const placed_force *list, int count, const double arcs[2])
{
    for (int i = 0; i < count; i++) {
        if (fabs(list[i].arcs[0] - arcs[0]) < 1e-12 && fabs(list[i].arcs[1] - arcs[1]) < 1e-12) {
            return list[i].force;
        }
    }
    return v3(NAN, 0, 0);
}

// All segments of a tight knot are halved, and later put together again, while it is held: every contact keeps its
// place and force, and the hands hardly feel it.
TEST(contact_forces_come_through_splits_and_merges)
{
    enum { ROOM = 400 };
    static placed_force before[ROOM], after[ROOM];
    knot_rig rig;
    if (!tie(&rig, 0.22e-3, true)) {
        knot_rig_free(&rig);
        return;
    }
    pull_tight(&rig, 200, 4.8e-3);
    cg_thread *thread = cg_world_find_thread(rig.world, rig.threads[0]);
    double held = tension(&rig);
    CHECK(held > 1);
    for (int round = 0; round < 2; round++) {
        thread->spacing.fine = round == 0 ? 0.055e-3 : 0.2e-3;
        int count = list_forces(&rig, before, ROOM), vertices = thread->vertex_count, lost = 0;
        for (int step = 0; step < (round == 0 ? 1 : 200); step++) {
            count = list_forces(&rig, before, ROOM);
            cg_world_follow(rig.world); // alone, so that nothing but edits changes the contacts
            int now = list_forces(&rig, after, ROOM);
            CHECK_INT(now, count);
            for (int i = 0; i < count; i++) {
                lost += !(v3_distance(force_at(after, now, before[i].arcs), before[i].force) <= 1e-15);
            }
            CHECK(cg_world_get_stats(rig.world).edits == 0 || thread->vertex_count != vertices);
            hold(&rig, 4.8e-3);
            cg_world_step(rig.world);
            CHECK_NEAR(tension(&rig), held, 0.025 * held); // the knot settles a little in other segments
        }
        CHECK_INT(lost, 0);
        CHECK(round == 0 ? thread->vertex_count > vertices + 40 : thread->vertex_count < vertices - 20);
    }
    CHECK(knot_rig_overlap(&rig) < 0.03);
    knot_rig_free(&rig);
}

// Held, nothing moves and nothing is edited.
TEST(a_held_knot_is_left_alone)
{
    knot_rig rig;
    if (tie(&rig, 0.22e-3, true)) {
        pull_tight(&rig, 250, 4.8e-3);
        uint64_t version = cg_thread_topology_version(rig.world, rig.threads[0]);
        double held = tension(&rig);
        for (int step = 0; step < 300; step++) {
            hold(&rig, 4.8e-3);
            cg_world_step(rig.world);
        }
        CHECK(cg_thread_topology_version(rig.world, rig.threads[0]) - version < 10);
        CHECK_NEAR(tension(&rig), held, 0.001 * held);
    }
    knot_rig_free(&rig);
}

TEST(a_snapshot_of_a_following_knot_continues_to_the_bit)
{
    static unsigned char bytes[1 << 20];
    knot_rig first, second;
    if (tie(&first, 0.22e-3, true) && tie(&second, 0.22e-3, true)) {
        for (int step = 0; step < 40; step++) {
            hold(&first, 1e-4 * step);
            cg_world_step(first.world);
        }
        size_t size = cg_world_snapshot_size(first.world);
        CHECK(size <= sizeof bytes && cg_world_snapshot(first.world, bytes, size).code == CG_OK);
        CHECK_STR(cg_world_restore(second.world, bytes, size).message, "");
        for (int step = 40; step < 80; step++) {
            hold(&first, 1e-4 * step);
            hold(&second, 1e-4 * step);
            cg_world_step(first.world);
            cg_world_step(second.world);
            CHECK_HASH(cg_world_state_hash(second.world), cg_world_state_hash(first.world));
        }
        CHECK(cg_thread_topology_version(first.world, first.threads[0]) > 50);
    }
    knot_rig_free(&first);
    knot_rig_free(&second);
}
