// Operations as bytes, and what they do to a world.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "operation/fields.h"
#include "session/session_rig.h"

static double random_number(uint64_t *random)
{
    double numbers[] = {0, -0.0, 1, -1e-300, 1e300, test_random(random, -1, 1), 5e-324};
    return numbers[test_random_int(random, 0, 6)];
}

static void fill_field(uint64_t *random, const cg_operation_field *field, void *to)
{
    switch (field->kind) {
    case CG_FIELD_thread:
    case CG_FIELD_shape:
    case CG_FIELD_hand:
    case CG_FIELD_tissue:
    case CG_FIELD_integer:
        *(int *)to = test_random_int(random, -2000000000, 2000000000);
        break;
    case CG_FIELD_number:
        *(double *)to = random_number(random);
        break;
    case CG_FIELD_flag:
        *(bool *)to = test_random_int(random, 0, 1) == 1;
        break;
    case CG_FIELD_vector:
        *(cg_vec3 *)to = v3(random_number(random), random_number(random), random_number(random));
        break;
    case CG_FIELD_rotation:
        *(cg_quat *)to = (cg_quat){random_number(random), random_number(random), random_number(random), 1};
        break;
    case CG_FIELD_end:
        *(cg_end *)to = (cg_end)test_random_int(random, 0, 1);
        break;
    case CG_FIELD_end_kind:
        *(cg_end_kind *)to = (cg_end_kind)test_random_int(random, 0, 2);
        break;
    case CG_FIELD_tool:
        *(cg_hand_tool *)to = (cg_hand_tool)test_random_int(random, 0, CG_TOOL_COUNT - 1);
        break;
    }
}

static cg_operation random_operation(uint64_t *random, int kind)
{
    cg_operation operation;
    memset(&operation, 0, sizeof operation);
    operation.kind = (cg_operation_kind)kind;
    operation.step = test_random_bits(random);
    const cg_operation_form *form = cg_operation_form_of(operation.kind);
    for (int f = 0; f < form->field_count; f++) {
        fill_field(random, &form->fields[f], cg_operation_field_at(&operation, &form->fields[f]));
    }
    return operation;
}

static bool same_fields(cg_operation *a, cg_operation *b)
{
    static const size_t sizes[] = {[CG_FIELD_thread] = sizeof(int),
                                   [CG_FIELD_integer] = sizeof(int),
                                   [CG_FIELD_number] = sizeof(double),
                                   [CG_FIELD_flag] = sizeof(bool),
                                   [CG_FIELD_vector] = 24,
                                   [CG_FIELD_end] = sizeof(cg_end),
                                   [CG_FIELD_end_kind] = sizeof(cg_end_kind),
                                   [CG_FIELD_shape] = sizeof(int),
                                   [CG_FIELD_hand] = sizeof(int),
                                   [CG_FIELD_tissue] = sizeof(int),
                                   [CG_FIELD_tool] = sizeof(cg_hand_tool),
                                   [CG_FIELD_rotation] = 32};
    const cg_operation_form *form = cg_operation_form_of(a->kind);
    bool same = a->kind == b->kind && a->step == b->step;
    for (int f = 0; f < form->field_count; f++) {
        const cg_operation_field *field = &form->fields[f];
        same =
            same && memcmp(cg_operation_field_at(a, field), cg_operation_field_at(b, field), sizes[field->kind]) == 0;
    }
    return same;
}

TEST(every_operation_survives_as_bytes)
{
    uint64_t random = 1;
    for (int i = 0; i < test_count(2000, 200000); i++) {
        for (int kind = 0; kind < CG_OPERATION_COUNT; kind++) {
            cg_operation before = random_operation(&random, kind), after;
            unsigned char bytes[CG_OPERATION_MOST_BYTES], again[CG_OPERATION_MOST_BYTES];
            size_t size = cg_operation_encode(&before, bytes, sizeof bytes);
            if (!CHECK(size > 10) || !CHECK_INT(cg_operation_decode(&after, bytes, sizeof bytes), size)) {
                return;
            }
            CHECK_INT(cg_operation_encode(&after, again, sizeof again), size);
            if (!CHECK(memcmp(bytes, again, size) == 0) || !CHECK(same_fields(&before, &after))) {
                return;
            }
        }
    }
}

TEST(bytes_that_are_no_operation_are_refused)
{
    uint64_t random = 2;
    cg_operation operation;
    for (int kind = 0; kind < CG_OPERATION_COUNT; kind++) {
        unsigned char bytes[CG_OPERATION_MOST_BYTES];
        cg_operation before = random_operation(&random, kind);
        size_t size = cg_operation_encode(&before, bytes, sizeof bytes);
        for (size_t cut = 0; cut < size; cut++) {
            CHECK_INT(cg_operation_decode(&operation, bytes, cut), 0);
            CHECK_INT(cg_operation_encode(&before, bytes, cut), 0);
        }
    }
    unsigned char unknown[CG_OPERATION_MOST_BYTES] = {CG_OPERATION_COUNT};
    CHECK_INT(cg_operation_decode(&operation, unknown, sizeof unknown), 0);
    operation.kind = (cg_operation_kind)-1;
    CHECK_INT(cg_operation_encode(&operation, unknown, sizeof unknown), 0);
    CHECK(cg_operation_name(CG_OPERATION_COUNT) == NULL);
}

TEST(bytes_are_as_documented)
{
    cg_operation release = {.step = 0x0102030405060708, .kind = CG_OPERATION_release};
    release.as.release = (cg_operation_release){.thread = 9, .vertex = -2};
    unsigned char bytes[CG_OPERATION_MOST_BYTES];
    static const unsigned char expected[] = {4, 0, 8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff};
    CHECK_INT(cg_operation_encode(&release, bytes, sizeof bytes), sizeof expected);
    CHECK(memcmp(bytes, expected, sizeof expected) == 0);
}

TEST(numbers_that_are_not_finite_and_bad_choices_are_refused)
{
    cg_operation set = {.kind = CG_OPERATION_set_end}, back;
    unsigned char bytes[CG_OPERATION_MOST_BYTES];
    set.as.set_end.turn = NAN;
    CHECK_INT(cg_operation_decode(&back, bytes, cg_operation_encode(&set, bytes, sizeof bytes)), 0);
    set.as.set_end.turn = 0;
    set.as.set_end.position.y = -INFINITY;
    CHECK_INT(cg_operation_decode(&back, bytes, cg_operation_encode(&set, bytes, sizeof bytes)), 0);
    set.as.set_end.position.y = 0;
    size_t size = cg_operation_encode(&set, bytes, sizeof bytes);
    CHECK_INT(cg_operation_decode(&back, bytes, size), size);
    cg_operation move = {.kind = CG_OPERATION_move_shape};
    unsigned char moved[CG_OPERATION_MOST_BYTES];
    CHECK_INT(cg_operation_encode(&move, moved, sizeof moved), 2 + 8 + 4 + 24 + 32);
    move.as.move_shape.rotation.z = NAN;
    CHECK_INT(cg_operation_decode(&back, moved, cg_operation_encode(&move, moved, sizeof moved)), 0);
    bytes[14] = 2; // the end
    CHECK_INT(cg_operation_decode(&back, bytes, size), 0);
    bytes[14] = 1;
    bytes[15] = 3; // how it is held
    CHECK_INT(cg_operation_decode(&back, bytes, size), 0);
}

// Each operation does what the call of the same name does.
TEST(operations_do_what_their_calls_do)
{
    cg_scene *scene = rig_scene(RIG_SCENE);
    cg_world *by_operation, *by_call;
    CHECK_INT(cg_scene_build(scene, NULL, &by_operation).code, CG_OK);
    CHECK_INT(cg_scene_build(scene, NULL, &by_call).code, CG_OK);
    cg_thread_id hanging = cg_operation_thread(by_call, 0), loose = cg_operation_thread(by_call, 2);
    cg_operation list[] = {
        {.kind = CG_OPERATION_push_vertex, .as.push_vertex = {2, 3, {1e-4, 0, 0}}},
        {.kind = CG_OPERATION_push_segment, .as.push_segment = {2, 4, 0.25, {0, 2e-4, 0}}},
        {.kind = CG_OPERATION_push_moment, .as.push_moment = {0, 5, {0, 1e-7, 0}}},
        {.kind = CG_OPERATION_hold, .as.hold = {2, 6, {0.02, 0.02, 0.001}}},
        {.kind = CG_OPERATION_set_end, .as.set_end = {0, CG_START, CG_END_CLAMPED, {0, 0, 0.001}, {1, 0, 0.1}, 0.5}},
        {.kind = CG_OPERATION_set_added_mass, .as.set_added_mass = {0, 20, 1e-5}},
        {.kind = CG_OPERATION_set_gravity, .as.set_gravity = {{0, 1, -9}}},
        {.kind = CG_OPERATION_set_time_step, .as.set_time_step = {5e-4}},
        {.kind = CG_OPERATION_set_newton, .as.set_newton = {3, 1e-9, true}},
        {.kind = CG_OPERATION_set_friction, .as.set_friction = {2, 0.7}},
        {.kind = CG_OPERATION_remove_thread, .as.remove_thread = {1}},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        CHECK_STR(cg_operation_apply(by_operation, &list[i]).message, "");
    }
    cg_thread_push_vertex(by_call, loose, 3, v3(1e-4, 0, 0));
    cg_thread_push_segment(by_call, loose, 4, 0.25, v3(0, 2e-4, 0));
    cg_thread_push_moment(by_call, hanging, 5, v3(0, 1e-7, 0));
    cg_thread_hold(by_call, loose, 6, v3(0.02, 0.02, 0.001));
    cg_end_hold end = {CG_END_CLAMPED, {0, 0, 0.001}, {1, 0, 0.1}, 0.5};
    cg_thread_set_end(by_call, hanging, CG_START, &end);
    cg_thread_set_added_mass(by_call, hanging, 20, 1e-5);
    cg_world_set_gravity(by_call, v3(0, 1, -9));
    cg_world_set_time_step(by_call, 5e-4);
    cg_world_set_newton(by_call, 3, 1e-9, true);
    cg_thread_set_friction(by_call, loose, 0.7);
    cg_world_remove_thread(by_call, cg_operation_thread(by_call, 1));
    for (int step = 0; step < 20; step++) {
        cg_world_step(by_operation);
        cg_world_step(by_call);
    }
    CHECK_HASH(cg_world_state_hash(by_operation), cg_world_state_hash(by_call));
    cg_operation release = {.kind = CG_OPERATION_release, .as.release = {2, 6}};
    CHECK_INT(cg_operation_apply(by_operation, &release).code, CG_OK);
    cg_world_step(by_operation);
    cg_world_step(by_call);
    CHECK(cg_world_state_hash(by_operation) != cg_world_state_hash(by_call));
    cg_operation gone = {.kind = CG_OPERATION_release, .as.release = {1, 0}};
    CHECK_INT(cg_operation_apply(by_operation, &gone).code, CG_BAD_HANDLE);
    gone.as.release.thread = -1;
    CHECK_INT(cg_operation_apply(by_operation, &gone).code, CG_BAD_HANDLE);
    gone.kind = CG_OPERATION_COUNT;
    CHECK_INT(cg_operation_apply(by_operation, &gone).code, CG_BAD_INPUT);
    cg_world_destroy(by_operation);
    cg_world_destroy(by_call);
    cg_scene_free(scene);
}

static const char ROD_SCENE[] = "{\"shapes\": [{\"half_space\": {}}, {\"name\": \"rod\", \"capsule\": {\"radius\": \"2 "
                                "mm\", \"half_length\": \"5 mm\"},"
                                "\"position\": [0, 0, \"10 mm\"]}], \"threads\": [{\"shape\": {\"line\": {\"from\": "
                                "[\"-1 cm\", 0, \"1 cm\"], \"to\": "
                                "[\"-1 cm\", \"3 cm\", \"1 cm\"]}}, \"vertices\": 16}]}";

TEST(a_moved_shape_goes_where_it_is_sent)
{
    cg_scene *scene = rig_scene(ROD_SCENE);
    cg_world *world;
    CHECK_INT(cg_scene_build(scene, NULL, &world).code, CG_OK);
    // not of unit length: a quarter turn about x
    cg_operation move = {.kind = CG_OPERATION_move_shape, .as.move_shape = {1, {0.01, 0, 0.02}, {3, 0, 0, 3}}};
    CHECK_STR(cg_operation_apply(world, &move).message, "");
    cg_world_step(world);
    cg_transform pose = cg_shape_get_pose(world, cg_operation_shape(world, 1));
    CHECK_NEAR(v3_distance(pose.position, v3(0.01, 0, 0.02)), 0, 1e-15);
    CHECK_NEAR(pose.rotation.x, sqrt(0.5), 1e-15);
    CHECK_NEAR(pose.rotation.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(cg_shape_get_pose(world, cg_operation_shape(world, 0)).position.z, 0, 0);
    // refused, and nothing changes: no such shape, no rotation, too far away
    uint64_t hash = cg_world_state_hash(world);
    const cg_operation bad[] = {
        {.kind = CG_OPERATION_move_shape, .as.move_shape = {2, {0, 0, 0}, {0, 0, 0, 1}}},
        {.kind = CG_OPERATION_move_shape, .as.move_shape = {-1, {0, 0, 0}, {0, 0, 0, 1}}},
        {.kind = CG_OPERATION_move_shape, .as.move_shape = {1, {0, 0, 0}, {0, 0, 0, 0}}},
        {.kind = CG_OPERATION_move_shape, .as.move_shape = {1, {0, 1e9, 0}, {0, 0, 0, 1}}},
    };
    for (int i = 0; i < 4; i++) {
        CHECK_INT(cg_operation_apply(world, &bad[i]).code, i < 2 ? CG_BAD_HANDLE : CG_BAD_INPUT);
    }
    CHECK_HASH(cg_world_state_hash(world), hash);
    cg_world_destroy(world);
    cg_scene_free(scene);
}

// The table of docs/tools.md is the one of tools.def. A difference prints the table as it should be.
TEST(the_documentation_lists_every_tool)
{
    static char table[4000], document[60000];
    int used =
        snprintf(table, sizeof table, "| number | tool | key | what it is | what it does |\n|---|---|---|---|---|\n");
#define CG_TOOL(name, NAME, number, what, message, does, close, open, key, drawing)                                    \
    used += snprintf(table + used, sizeof table - (size_t)used, "| %d | `%s` | %s | %s | %s |\n", number, #name, key,  \
                     what, does);
#include "catgut/tools.def"
#undef CG_TOOL
    FILE *file = fopen(CATGUT_SOURCE_DIR "/docs/tools.md", "rb");
    if (!CHECK(file != NULL)) {
        return;
    }
    document[fread(document, 1, sizeof document - 1, file)] = '\0';
    fclose(file);
    if (!CHECK(strstr(document, table) != NULL)) {
        printf("docs/tools.md should have this table:\n%s", table);
    }
}

TEST(every_tool_has_its_own_name_and_number)
{
    int count = 0;
#define CG_TOOL(name, NAME, number, what, message, does, close, open, key, drawing)                                    \
    CHECK_INT(number, count);                                                                                          \
    CHECK_INT(CG_TOOL_##NAME, count);                                                                                  \
    CHECK_STR(cg_tool_word((cg_hand_tool)count), #name);                                                               \
    count++;
#include "catgut/tools.def"
#undef CG_TOOL
    CHECK_INT(CG_TOOL_COUNT, count);
    char list[CG_TOOL_LIST_MOST];
    CHECK(strncmp(cg_tool_list("'", list), "'grasper', 'probe', ", 20) == 0);
    CHECK(strstr(list, " or '") != NULL && list[strlen(list) - 1] == '\'');
}
