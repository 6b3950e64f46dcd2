// Hands of a scene. What cg_world_add_hand would refuse is refused here, where the place in the file is known.
#include "base/transform.h"
#include "scene/reader.h"

bool cg_scene_read_hand(cg_scene_reader *reader, const cg_json_value *value)
{
    cg_scene *scene = reader->scene;
    cg_hand_spec spec = cg_hand_spec_default();
    uint64_t given;
    if (scene->hand_count == CG_SCENE_HANDS) {
        return cg_error_at_value(reader->error, value, "found one hand more; expected at most %d in a scene",
                                 CG_SCENE_HANDS);
    }
    cg_scene_hand *hand = &scene->hands[scene->hand_count];
    hand->def = cg_hand_def_default();
    if (!cg_scene_read_fields(&cg_type_hand, value, &spec, &given, reader->error) ||
        !cg_scene_choose_name(reader, &reader->hand_names, value, "hand", scene->hand_count + 1, &hand->name) ||
        !cg_scene_read_rotation(spec.rotation, &hand->def.pose.rotation, reader->error)) {
        return false;
    }
    hand->def.pose.position = spec.position;
    hand->def.mass = spec.mass;
    hand->def.stiffness = spec.stiffness;
    hand->def.damping = spec.damping;
    hand->def.max_force = spec.max_force;
    hand->def.turn_stiffness = spec.turn_stiffness;
    hand->def.max_torque = spec.max_torque;
    hand->def.reach = spec.reach;
    hand->def.jaw_length = spec.jaw_length;
    scene->hand_count++;
    return true;
}

// 4 cm to the left and to the right of the origin and 3 cm above it: beside what most scenes show.
void cg_scene_add_usual_hands(cg_scene *scene)
{
    static const char *const names[2] = {"left", "right"};
    for (int i = 0; i < 2; i++) {
        cg_scene_hand *hand = &scene->hands[scene->hand_count++];
        hand->name = names[i];
        hand->def = cg_hand_def_default();
        hand->def.pose.position = v3(i == 0 ? -0.04 : 0.04, 0, 0.03);
    }
}

int cg_scene_hand_count(const cg_scene *scene)
{
    return scene->hand_count;
}

const char *cg_scene_hand_name(const cg_scene *scene, int index)
{
    return index >= 0 && index < scene->hand_count ? scene->hands[index].name : NULL;
}
