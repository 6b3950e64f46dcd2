// The inside of a scene, for the session that runs it.
#ifndef CATGUT_SCENE_SCENE_H
#define CATGUT_SCENE_SCENE_H

#include "catgut/scene.h"
#include "scene/json.h"

// The member "inputs" of the scene as it was written (an array), or NULL when it has none. Lives as long as the scene.
const cg_json_value *cg_scene_inputs(const cg_scene *scene);
// What errors about this scene call its file.
const char *cg_scene_name(const cg_scene *scene);

// cg_scene_build; when something stands where it cannot, *error says where in the text. Its message is empty otherwise.
cg_status cg_scene_build_at(const cg_scene *scene, const cg_allocator *allocator, cg_world **world,
                            cg_scene_error *error);

#endif
