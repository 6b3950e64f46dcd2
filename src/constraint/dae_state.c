// The state of a system as one list. The order of pivots is no part of it: as long as they lie on the diagonal it
// follows from the pattern (cg_sparse_moved_pivots).
#include "constraint/dae_parts.h"

static void visit_given(cg_archive *archive, cg_part *part)
{
    cg_archive_vec3(archive, &part->place);
    cg_archive_vec3(archive, &part->speed);
    cg_archive_vec3(archive, &part->acceleration);
}

static void visit_block(cg_archive *archive, cg_dae_block *block)
{
    cg_archive_doubles(archive, block->impulse, CG_ROWS_MOST);
    cg_archive_double(archive, &block->last_step);
    for (int row = 0; row < CG_ROWS_MOST; row++) {
        cg_archive_bool(archive, &block->redundant[row]);
    }
    // Whether a part is given in space follows from what the constraint is; a stitch has none that is.
    for (int side = 0; side < 2; side++) {
        if (block->rows.parts[side].kind == CG_PART_GIVEN) {
            visit_given(archive, &block->rows.parts[side]);
        }
    }
}

static void visit_frames(cg_archive *archive, cg_spline *spline)
{
    for (int i = 0; i < spline->span_count * CG_SPLINE_BEND_POINTS; i++) {
        cg_archive_vec3(archive, &spline->frames[i].tangent);
        cg_archive_vec3(archive, &spline->frames[i].turn);
        cg_archive_double(archive, &spline->frames[i].twist);
    }
}

void cg_dae_visit_state(cg_archive *archive, cg_dae *dae, int blocks)
{
    size_t count = (size_t)dae->unknown_count;
    cg_archive_count(archive, count, "unknowns of a structure");
    cg_archive_doubles(archive, dae->x, count);
    cg_archive_doubles(archive, dae->v, count);
    cg_archive_doubles(archive, dae->last_a, count);
    for (int k = 0; k < blocks; k++) {
        cg_dae_block other = {.rows.parts = {{.kind = CG_PART_SLIDE}, {.kind = CG_PART_NODES}}};
        visit_block(archive, k < dae->block_count ? &dae->blocks[k] : &other);
    }
    cg_archive_bool(archive, &dae->stats.wants_prepare);
    for (int b = 0; b < dae->body_count; b++) {
        if (dae->bodies[b].kind == CG_DAE_SPLINE) {
            visit_frames(archive, &dae->bodies[b].spline);
        }
    }
    for (int k = 0; k < dae->pair_count; k++) {
        cg_archive_bool(archive, &dae->pairs[k].is_on);
        cg_archive_bool(archive, &dae->pairs[k].touched);
        cg_archive_bool(archive, &dae->pairs[k].leaves);
        cg_archive_double(archive, &dae->pairs[k].thickness);
    }
}
