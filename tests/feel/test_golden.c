// label: golden
// A port, a simulated device and a person over a floor, at a wall and on a tether: the same bits for every compiler.
#include "base/hash.h"
#include "feel/stage.h"

static uint64_t play(cg_device_kind kind, int slow)
{
    cg_feel_def def = cg_feel_def_default(kind);
    stage s = stage_open(&def, 1e-3, v3(0, 0, 2e-3));
    cg_hash hash = cg_hash_begin();
    double most = 0;
    s.floor = 1e9;
    s.wall = 500;
    s.rope = 300;
    s.slow = slow;
    for (int i = 0; i < 600; i++) {
        double way = 1e-4 * (i % 300);
        s.unplugged = i > 450 && i < 465;
        stage_play(&s, v3(way, way, i < 300 ? -3e-3 : -1e-3));
        cg_feel_state state = cg_feel_get_state(s.feel, 0);
        cg_vec3 at = cg_practice_get_state(s.practice).position;
        double told[] = {state.force.x, state.force.y, state.force.z, state.energy, state.account, at.x, at.y, at.z};
        cg_hash_add_doubles(&hash, told, sizeof told / sizeof told[0]);
        most = v3_length(state.force) > most ? v3_length(state.force) : most;
    }
    CHECK(most > 0.3); // it felt something
    stage_close(&s);
    return cg_hash_end(&hash);
}

TEST(a_short_run_has_the_same_bits_everywhere)
{
    CHECK_GOLDEN(play(CG_DEVICE_OMNI, 1));
    CHECK_GOLDEN(play(CG_DEVICE_DESKTOP, 20));
}
