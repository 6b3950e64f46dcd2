// A hand takes the lip of a wound in a small training pad and lifts it. Prints what the hand feels, and that what holds
// the pad feels the same and the weight besides.
#include <catgut/catgut.h>
#include <stdio.h>

static cg_status make(cg_world **world, cg_tissue_id *pad, cg_hand_id *hand)
{
    cg_world_def world_def = cg_world_def_default();
    cg_status status = cg_world_create(&world_def, world);
    cg_tissue_kind silicone = {"", {0, ""}, {0, ""}, {0, ""}, {0, ""}, {0, ""}, {0, ""}, {0, ""}};
    cg_tissue_catalogue_find("training pad", &silicone, NULL, 0);
    cg_tissue_def pad_def = cg_tissue_def_default(); // lies on a table, which holds its bottom
    pad_def.size.x = 0.03;
    pad_def.size.y = 0.02;
    pad_def.layers[0].thickness = 0.004;
    pad_def.layers[0].material = cg_tissue_kind_material(&silicone);
    pad_def.wound = CG_WOUND_STRAIGHT;
    pad_def.wound_length = 0.016;
    pad_def.wound_depth = 0.003;
    if (status.code == CG_OK) {
        status = cg_world_add_tissue(*world, &pad_def, pad);
    }
    cg_hand_def hand_def = cg_hand_def_default();
    hand_def.pose.position.y = 0.001; // beside the wound, a millimetre above the skin
    hand_def.pose.position.z = 0.001;
    if (status.code == CG_OK) {
        status = cg_world_add_hand(*world, &hand_def, hand);
    }
    return status;
}

int main(void)
{
    cg_world *world = NULL;
    cg_tissue_id pad = {0, 0};
    cg_hand_id hand = {0, 0};
    cg_status status = make(&world, &pad, &hand);
    if (status.code == CG_OK) {
        status = cg_hand_close(world, hand);
    }
    cg_transform up = {{0, 0.001, 0.004}, {0, 0, 0, 1}};
    if (status.code == CG_OK) {
        status = cg_hand_move(world, hand, up, 0.5);
    }
    if (status.code != CG_OK) {
        fprintf(stderr, "%s: %s\n", cg_code_name(status.code), status.message);
        cg_world_destroy(world);
        return 1;
    }
    for (int step = 1; step <= 2000; step++) {
        cg_world_step(world);
        if (step % 500 == 0) {
            cg_hand_state state = cg_hand_get_state(world, hand);
            printf("%.1f s: %d nodes lifted by %.2f mm, the hand feels %.3f N\n", cg_world_time(world),
                   state.node_count, 1e3 * (state.pose.position.z - 0.001), state.force.z);
        }
    }
    cg_tissue_summary summary = cg_tissue_get_summary(world, pad);
    printf("the table feels %.3f N; the pad weighs %.3f N\n", summary.reaction.z, 9.81 * summary.mass);
    cg_world_destroy(world);
    return 0;
}
