// What a recorder keeps of the surfaces of tissues: those it has written last, so that it writes what is new.
#ifndef CATGUT_RECORD_SURFACE_KEEPER_H
#define CATGUT_RECORD_SURFACE_KEEPER_H

#include "catgut/world.h"
#include "record/chunk.h"
#include "record/surface_code.h"

typedef struct cg_surface_keeper {
    int count;              // places of tissues
    cg_tissue_id *ids;      // per place, as written last; zero: none
    cg_kept_surface *last;  // per place, as written last
    cg_kept_surface *fresh; // per place, as it is now
    cg_surface_work work;
    unsigned char *bytes; // of a chunk
    size_t room;
    size_t whole_bytes;  // of the last chunk with whole surfaces
    size_t change_bytes; // of the chunks of changes since
} cg_surface_keeper;

// Carves all there is to keep of the first `count` places of a world, for as much as its tissues can have. Nothing is
// known of them then.
void cg_surface_keeper_lay_out(cg_surface_keeper *keeper, cg_arena *arena, const cg_world *world, int count);
// True when there is room for all that the tissue in a place, if there is one, can have.
bool cg_surface_keeper_has_room(const cg_surface_keeper *keeper, const cg_world *world, int place);
// True while the tissues have the surfaces that were written last.
bool cg_surface_keeper_is_current(const cg_surface_keeper *keeper, const cg_world *world);
// Makes the payload of a chunk with what is new, in keeper->bytes: changes while they are small beside the whole
// surfaces, those otherwise. Returns its size; 0 when a home is not finite.
size_t cg_surface_keeper_write(cg_surface_keeper *keeper, const cg_world *world, cg_chunk_kind *kind);

#endif
