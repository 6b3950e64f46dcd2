// Inside or outside of every vertex and every span of a thread, as its anchors say, against a count of the surfaces
// that a ray from there crosses: over random states of stitches that are laid, pulled, slid and drawn out.
//
// The mouth of a hole is what of the thread touches no tissue beside it (`hidden`, at least cg_slide_mouth): its middle
// line may lie under the surface where it leaves along it, or where a lip is drawn over it. And an end that goes into
// its last hole, or comes out of it, is at that hole while it is within two radii of the surface: it lets go one radius
// from it.
// An end that came out of a lip into the wound is dragged straight to the next hole and touches nothing on its way: it
// may go through the other lip. Only in these three may the two disagree, never in a span between two anchors.
#include "brute_surface.h"
#include "collide/chains.h"
#include "harness.h"
#include "stitch_rig.h"
#include "thread/slide.h"
#include "world/world.h"

typedef struct tally {
    int states, places, inside;
    int off;         // places that are on another side than the anchors say
    int off_outside; // of these, not at the mouth of a hole
} tally;

// A place of the thread: vertex i, or the middle of segment i.
typedef struct place {
    cg_vec3 at;
    int first, last; // segments that it is on
    bool is_inside;  // as the anchors say
} place;

static bool is_at_mouth(const cg_thread *thread, const cg_mesh *mesh, const place *p)
{
    bool is_hidden = thread->slide->hidden[p->first] == CG_AT_HOLE || thread->slide->hidden[p->last] == CG_AT_HOLE;
    bool is_end = p->first == 0 || p->last == thread->segment_count - 1;
    bool is_dragged = is_end && !p->is_inside && thread->slide->hidden[p->first] == CG_INSIDE;
    return is_hidden || is_dragged || (is_end && distance_to_surface(mesh, p->at) < 2 * thread->radius);
}

static void look_at(const rig *r, const place *p, tally *t)
{
    const cg_mesh *mesh = cg_world_find_tissue(r->world, r->pad)->mesh;
    t->places++;
    t->inside += p->is_inside;
    if ((count_crossings(mesh, p->at, v3(0.13, 0.29, 0.95)) % 2 == 1) != p->is_inside) {
        t->off++;
        t->off_outside += !is_at_mouth(cg_world_find_thread(r->world, r->thread), mesh, p);
    }
}

static void look(const rig *r, tally *t)
{
    const cg_thread *thread = cg_world_find_thread(r->world, r->thread);
    const cg_vec3 *at = thread->shape.position;
    int last = thread->segment_count - 1;
    t->states++;
    for (int i = 0; i < thread->vertex_count; i++) {
        cg_thread_side side = cg_thread_get_side(r->world, r->thread, i);
        place p = {at[i], i > 0 ? i - 1 : 0, i > last ? last : i, side == CG_SIDE_INSIDE};
        if (side != CG_SIDE_HOLE) {
            look_at(r, &p, t);
        }
    }
    for (int i = 0; i <= last; i++) {
        bool is_inside = cg_thread_get_segment_side(r->world, r->thread, i) == CG_SIDE_INSIDE;
        look_at(r, &(place){v3_scale(0.5, v3_add(at[i], at[i + 1])), i, i, is_inside}, t);
    }
}

// Nobody pulls an end that is inside.
static cg_vec3 pull_of_end(const rig *r, int vertex, cg_vec3 pull)
{
    return cg_thread_get_side(r->world, r->thread, vertex) == CG_SIDE_OUTSIDE ? pull : v3_zero();
}

static void step_often(rig *r, int steps, cg_vec3 before, cg_vec3 behind)
{
    for (int i = 0; i < steps; i++) {
        int count;
        cg_thread_positions(r->world, r->thread, &count);
        step_with(r, pull_of_end(r, 0, before), pull_of_end(r, count - 1, behind));
    }
}

TEST(the_parity_of_anchors_is_that_of_surfaces)
{
    uint64_t random = 31;
    tally t = {0};
    for (int round = 0; round < test_count(1, 36); round++) {
        rig r;
        if (!make_rig(&r, test_random(&random, 50e3, 300e3))) {
            return;
        }
        look(&r, &t);
        for (int k = 0; k < test_count(6, 30); k++) {
            step_often(&r, 8, any_pull(&random, 0.8), any_pull(&random, 0.8));
            look(&r, &t);
        }
        for (int k = 0; k < 10 && cg_world_anchor_count(r.world) > 0; k++) { // drawn out by one end
            step_often(&r, 50, v3_zero(), v3(0, 0.1, 0.4));
            look(&r, &t);
        }
        CHECK_INT(cg_world_anchor_count(r.world), 0);
        cg_world_destroy(r.world);
    }
    CHECK(t.states >= test_count(8, 1000) && t.inside >= t.states);
    CHECK_INT(t.off_outside, 0);
}
