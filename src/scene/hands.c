// Hands of a scene. What cg_world_add_hand would refuse is refused here, where the place in the file is known.
#include "base/transform.h"
#include "scene/reader.h"

static bool read_tools(cg_scene_reader *reader, const cg_hand_spec *spec, cg_hand_def *def)
{
    cg_probe_spec probe = cg_probe_spec_default();
    cg_scalpel_spec scalpel = cg_scalpel_spec_default();
    cg_hook_spec hook = cg_hook_spec_default();
    uint64_t given;
    if ((spec->probe != NULL && !cg_scene_read_fields(&cg_type_probe, spec->probe, &probe, &given, reader->error)) ||
        (spec->scalpel != NULL &&
         !cg_scene_read_fields(&cg_type_scalpel, spec->scalpel, &scalpel, &given, reader->error)) ||
        (spec->hook != NULL && !cg_scene_read_fields(&cg_type_hook, spec->hook, &hook, &given, reader->error))) {
        return false;
    }
    double edge = v3_length(scalpel.edge);
    if (!(edge >= 1e-9 && edge <= 0.1)) {
        return cg_error_at_value(reader->error, cg_json_find(spec->scalpel, "edge"),
                                 "found an edge %g m long; expected 1e-9 m to 0.1 m", edge);
    }
    def->tool = (cg_hand_tool)spec->tool;
    def->grip = spec->grip;
    def->grasp = (cg_hand_grasp)spec->grasp;
    def->jaw_friction = spec->jaw_friction;
    def->rod_radius = probe.radius;
    def->rod_length = probe.length;
    def->rod_friction = probe.friction;
    def->edge = scalpel.edge;
    def->hook_radius = hook.radius;
    def->blade_width = scalpel.width;
    def->hook_power = hook.power;
    def->hook_length = hook.length;
    return true;
}

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
        !cg_scene_read_rotation(spec.rotation, &hand->def.pose.rotation, reader->error) ||
        !read_tools(reader, &spec, &hand->def)) {
        return false;
    }
    hand->place = cg_scene_place_of(reader, value);
    hand->def.has_port = cg_scene_is_given(&cg_type_hand, given, "port");
    hand->def.port = spec.port;
    hand->has_scope = cg_scene_is_given(&cg_type_hand, given, "scope");
    hand->scope_angle = spec.scope;
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

bool cg_scene_hand_scope(const cg_scene *scene, int index, double *angle)
{
    bool has_scope = index >= 0 && index < scene->hand_count && scene->hands[index].has_scope;
    *angle = has_scope ? scene->hands[index].scope_angle : 0;
    return has_scope;
}
