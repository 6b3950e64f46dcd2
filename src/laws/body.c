#include "laws/body.h"

const cg_body_verbs *const cg_body_kinds[CG_BODY_KINDS] = {&cg_thread_verbs, &cg_rigid_verbs, &cg_tissue_verbs};
