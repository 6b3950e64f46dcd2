// The state of a structure: which stitches there are, and the state of the system that has them.
#include "base/status.h"
#include "constraint/structure.h"

// Where a stitch is. Angles, which it keeps, are constants of its constraints.
typedef struct stitch_place {
    int number; // of the stitching
    int triangle;
    double weights[3];
    double angles[2];
} stitch_place;

static stitch_place place_of(const cg_structure *structure, int at)
{
    const cg_suturing *suturing = &structure->suturings[structure->stitches[at]];
    stitch_place place = {.number = structure->stitches[at], .triangle = suturing->triangle};
    for (int k = 0; k < 3; k++) {
        place.weights[k] = suturing->weights[k];
    }
    int first = structure->lasting + CG_SUTURING_BLOCKS * at;
    for (int k = 0; k < 2; k++) {
        place.angles[k] = cg_dae_constant(structure->dae, first + 1 + k);
    }
    return place;
}

static void visit_place(cg_archive *archive, const cg_structure *structure, stitch_place *place)
{
    place->number = cg_archive_choice(archive, place->number, 0, structure->suturing_count - 1);
    int sheet = structure->suturings[place->number].sheet;
    int triangles = cg_dae_sheet(structure->dae, sheet)->triangle_count;
    place->triangle = cg_archive_choice(archive, place->triangle, 0, triangles - 1);
    cg_archive_doubles(archive, place->weights, 3);
    cg_archive_doubles(archive, place->angles, 2);
}

static void forget_stitches(cg_structure *structure)
{
    for (int i = 0; i < structure->suturing_count; i++) {
        if (structure->suturings[i].abscissa >= 0) {
            cg_dae_release_abscissa(structure->dae, structure->suturings[i].abscissa);
            structure->suturings[i].abscissa = -1;
        }
    }
    structure->stitch_count = 0;
}

// Takes no memory but the first time that there are so many constraints.
static void stitch_again(cg_archive *archive, cg_structure *structure, const stitch_place *place)
{
    cg_suturing *suturing = &structure->suturings[place->number];
    int first = cg_dae_constraint_count(structure->dae);
    if (suturing->abscissa >= 0) {
        archive->status = cg_error(CG_BAD_INPUT, "a thread has the same stitch twice");
        return;
    }
    cg_status status = cg_dae_stitch(structure->dae, suturing->own, suturing->tip, suturing->sheet, place->triangle,
                                     place->weights, 3);
    if (status.code != CG_OK) {
        archive->status = status;
        return;
    }
    for (int k = 0; k < 2; k++) {
        cg_dae_set_constant(structure->dae, first + 1 + k, place->angles[k]);
    }
    suturing->abscissa = suturing->own;
    structure->stitches[structure->stitch_count++] = place->number;
}

static void visit_stitches(cg_archive *archive, cg_structure *structure, int *count)
{
    *count = cg_archive_length(archive, structure->stitch_count, structure->suturing_count);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        forget_stitches(structure);
    }
    for (int i = 0; i < *count && cg_archive_is_ok(archive); i++) {
        stitch_place place = {0};
        if (archive->mode != CG_ARCHIVE_LOAD && i < structure->stitch_count) {
            place = place_of(structure, i);
        }
        visit_place(archive, structure, &place);
        if (archive->mode == CG_ARCHIVE_LOAD && cg_archive_is_ok(archive)) {
            stitch_again(archive, structure, &place);
        }
    }
}

static void visit_suturing(cg_archive *archive, const cg_dae *dae, cg_suturing *suturing)
{
    int triangles = cg_dae_sheet(dae, suturing->sheet)->triangle_count, wish = (int)suturing->wish;
    cg_archive_bool(archive, &suturing->is_through);
    cg_archive_double(archive, &suturing->force);
    cg_archive_int(archive, &suturing->made, 0, INT32_MAX);
    cg_archive_int(archive, &suturing->ended, 0, INT32_MAX);
    cg_archive_int(archive, &suturing->triangle, 0, triangles - 1);
    cg_archive_doubles(archive, suturing->weights, 3);
    cg_archive_int(archive, &wish, CG_SUTURING_GOES_ON, CG_SUTURING_WILL_END);
    if (archive->mode == CG_ARCHIVE_LOAD) {
        bool is_there = suturing->abscissa >= 0;
        bool makes_sense = wish == CG_SUTURING_GOES_ON || (wish == CG_SUTURING_WILL_END) == is_there;
        suturing->wish = makes_sense && wish == CG_SUTURING_WILL_PIERCE ? CG_SUTURING_WILL_PIERCE
                         : makes_sense && wish == CG_SUTURING_WILL_END  ? CG_SUTURING_WILL_END
                                                                        : CG_SUTURING_GOES_ON;
    }
}

void cg_structure_visit_state(cg_archive *archive, void *made)
{
    cg_structure *structure = made;
    int stitches = 0;
    visit_stitches(archive, structure, &stitches);
    for (int i = 0; i < structure->suturing_count; i++) {
        visit_suturing(archive, structure->dae, &structure->suturings[i]);
    }
    for (int i = 0; i < structure->spline_count; i++) {
        cg_thread *thread = structure->splines[i].thread;
        cg_archive_vec3(archive, &thread->ends[CG_START].hold.position);
        cg_archive_vec3(archive, &thread->ends[CG_FINISH].hold.position);
        cg_archive_vec3s(archive, thread->force, (size_t)thread->vertex_count);
    }
    for (int i = 0; i < structure->sheet_count; i++) {
        cg_tissue *tissue = structure->sheets[i].tissue;
        cg_archive_bool(archive, &tissue->is_pushed);
        cg_archive_vec3s(archive, tissue->push, (size_t)tissue->mesh->node_count);
    }
    cg_archive_bool(archive, &structure->is_stuck);
    cg_dae_visit_state(archive, structure->dae, structure->lasting + CG_SUTURING_BLOCKS * stitches);
}

cg_status cg_structure_after_load(void *made)
{
    cg_structure *structure = made;
    cg_status status = cg_dae_after_load(structure->dae);
    if (status.code == CG_OK) {
        cg_structure_show(structure);
    }
    return status;
}
