// The kernels on a processor, for one precision: CG_GPU_NAME(x) names what is outside of this file.
//
// A phase is done by all lanes of a world before the next one begins, and within a phase no lane reads what another one
// writes. So the order of lanes and worlds must not matter, to the bit; `order` draws one, for tests to show it.
#include "gpu/laws.h"

static uint64_t draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = (*state ^ *state >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void shuffle(int *order, int count, uint64_t *state)
{
    for (int i = 0; i < count; i++) {
        order[i] = i;
    }
    for (int i = count - 1; i > 0 && *state != 0; i--) {
        int other = (int)(draw(state) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

// Two lanes a rod: those of one end first.
static void run_rods(const cg_gpu_view *view, int group, int phase, int lane, int lanes)
{
    for (int at = lane; at < 2 * CG_RODS_A_GROUP; at += lanes) {
        int world = group * CG_RODS_A_GROUP + at % CG_RODS_A_GROUP;
        if (world < view->worlds) {
            cg_rod rod = cg_gpu_rod_of(view, world);
            cg_rod_phase(&cg_gpu_law_of(view, world)->rod, &rod, cg_gpu_rod_phase(view, phase), at / CG_RODS_A_GROUP);
        }
    }
}

static void run_phase(const cg_gpu_view *view, const cg_gpu_law *law, int unit, int phase, int lane, int lanes)
{
    if (view->kind == CG_GPU_CLOTH) {
        cg_cloth cloth = cg_gpu_cloth_of(view, &law->cloth, unit);
        cg_cloth_phase(&law->cloth, &cloth, phase, lane, lanes);
    } else if (view->kind == CG_GPU_SPRINGS) {
        cg_spring_thread thread = cg_gpu_thread_of(view, unit);
        cg_spring_phase(&law->springs, &thread, phase, lane, lanes);
    } else {
        run_rods(view, unit, phase, lane, lanes);
    }
}

static void run_step(const cg_gpu_view *view, const cg_gpu_law *law, int world, int *lane_order,
                     const cg_gpu_order *order, uint64_t *state)
{
    for (int phase = 0; phase < cg_gpu_phases(view); phase++) {
        if (*state != 0) {
            shuffle(lane_order, order->lanes, state);
        }
        for (int k = 0; k < order->lanes; k++) {
            run_phase(view, law, world, phase, lane_order[k], order->lanes);
        }
    }
}

static void tell_held(const cg_gpu_view *view, const cg_gpu_law *law, cg_gpu_held *held)
{
    int node = view->kind == CG_GPU_CLOTH ? law->cloth.hand : law->springs.hand;
    const cg_vec3 *places = cg_gpu_places(view, 0);
    cg_vec3 x = node >= 0 ? places[node] : v3_zero(), v = node >= 0 ? places[view->nodes + node] : v3_zero();
    held->place[0] = x.x, held->place[1] = x.y, held->place[2] = x.z;
    held->velocity[0] = v.x, held->velocity[1] = v.y, held->velocity[2] = v.z;
    cg_vec3 force = cg_gpu_hand_force(view, law, 0);
    held->force[0] = force.x, held->force[1] = force.y, held->force[2] = force.z;
    held->step++;
}

cg_status CG_GPU_NAME(cg_gpu_run)(const cg_gpu_view *view, int steps, const cg_gpu_order *order,
                                  const cg_gpu_hand *hand, cg_gpu_held *held)
{
    int units = cg_gpu_units(view), most = units > order->lanes ? units : order->lanes;
    int *orders = malloc((size_t)(units + most) * sizeof *orders);
    if (orders == NULL) {
        return cg_error(CG_OUT_OF_MEMORY, "no memory for the order of %d lanes", order->lanes);
    }
    int *lane_order = orders + units;
    uint64_t state = order->seed, none = 0;
    shuffle(orders, units, &state);
    shuffle(lane_order, order->lanes, &none);
    for (int k = 0; k < units; k++) {
        cg_gpu_law law = *cg_gpu_law_of(view, orders[k]);
        if (hand != NULL && hand->is_given) {
            cg_gpu_take_hand(view, hand, &law);
        }
        for (int step = 0; step < steps; step++) {
            run_step(view, &law, orders[k], lane_order, order, &state);
        }
        if (held != NULL) {
            tell_held(view, &law, held);
        }
    }
    free(orders);
    return cg_ok();
}

cg_gpu_sizes CG_GPU_NAME(cg_gpu_sizes)(void)
{
    return (cg_gpu_sizes){sizeof(cg_gpu_law), sizeof(cg_vec3), sizeof(double)};
}

void CG_GPU_NAME(cg_gpu_put_law)(cg_gpu_kind kind, const void *numbers, void *law)
{
    cg_gpu_raise(kind, numbers, law);
}

void CG_GPU_NAME(cg_gpu_put_vectors)(const cg_gpu_number *from, size_t count, void *to)
{
    double *numbers = to;
    for (size_t i = 0; i < 3 * count; i++) {
        numbers[i] = (double)from[i];
    }
}

void CG_GPU_NAME(cg_gpu_get_vectors)(const void *from, size_t count, cg_gpu_number *to)
{
    const double *numbers = from;
    for (size_t i = 0; i < 3 * count; i++) {
        to[i] = (cg_gpu_number)numbers[i];
    }
}
