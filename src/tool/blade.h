// A blade that cuts tissue as it moves: a straight edge from its tip to its heel, carried by something.
//
//     begin     the blade comes into being, or is drawn anew
//     sweep     the edge has moved in a step: what it passed is noted, and cut when it is enough; forces for the next
//     step end       the blade closes or is put away: what was passed and not cut yet is cut
//
// Cutting after every tenth of a millimetre would fill the mesh with slivers. The way of the edge is noted at home, the
// shape that the tissue was made in: there a place of the tissue stays where it is, however the tissue moves, and a
// strip that is cut twice is cut once. docs/cutting.md has the maths.
//
// A blade is in one tissue at a time. Calls are made in the last stage of a step, or between steps; none takes memory.
#ifndef CATGUT_TOOL_BLADE_H
#define CATGUT_TOOL_BLADE_H

#include "base/archive.h"
#include "base/pool.h"
#include "tissue/tissue.h"

// The edge in the world.
typedef struct cg_edge {
    cg_vec3 tip, heel; // [m] the tip goes deepest
} cg_edge;

// The edge at home of the tissue, where it is in or near it: straight from `top` to `tip`.
typedef struct cg_ruling {
    cg_vec3 top, tip; // [m]
    bool has_tip;     // `tip` is that of the blade; else it is beyond
} cg_ruling;

// Most positions of the edge that are remembered: some four grains behind it, and a step at some metres a second.
#define CG_BLADE_MOST 64

typedef struct cg_blade {
    // state
    cg_handle tissue;               // place and generation of the tissue it is in; zero: none. The world's affair
    cg_ruling track[CG_BLADE_MOST]; // the way of the edge, the last one being where it is now
    int count, fixed;               // entries; and how many of them were cut already, and stay as they are
    cg_vec3 strain;                 // [m] of the spring by which it drags the tissue along
    cg_vec3 force;                  // [N] on who carries the blade, in the last sweep; the opposite pushes the tissue
    double firmness, resists;       // [N/m], [N] by which that force rises across the edge, and up to what
    double inside;                  // [m] of the edge that is in the tissue
    double area;                    // [m2] laid open so far, one side
    uint64_t cuts;                  // so far: how often the mesh was cut
    uint64_t full;                  // so far: cuts that ended early because the mesh had no room
} cg_blade;

void cg_blade_begin(cg_blade *blade);
// The edge went from `before` to `after` in a step of this length [s], every point straight. Edges with numbers that
// are not finite are passed over.
void cg_blade_sweep(cg_blade *blade, cg_tissue *tissue, cg_edge before, cg_edge after, double time_step);
// NULL when the tissue is gone.
void cg_blade_end(cg_blade *blade, cg_tissue *tissue);
// The tissue is known by its place alone; who loads finds the generation.
void cg_blade_visit_state(cg_archive *archive, cg_blade *blade);

// edge.c: where an edge is in a tissue

// Most samples along an edge.
#define CG_EDGE_MOST 128

// A sample of the edge that is inside a cell, or where it passes a skin.
typedef struct cg_edge_sample {
    int nodes[4]; // -1: none
    double weights[4];
    double tear; // [N] toughness by the length of edge that the sample stands for
} cg_edge_sample;

typedef struct cg_edge_place {
    bool is_near; // in the tissue or near its surface: the ruling is known
    cg_ruling ruling;
    double inside;    // [m] length in the tissue
    int sample_count; // of those inside
    cg_edge_sample samples[CG_EDGE_MOST];
} cg_edge_place;

// What is near the way of an edge; usable until the mesh is edited.
typedef struct cg_edge_near {
    int cells, triangles; // how many; which ones is in cell_label and triangle_label of the mesh
} cg_edge_near;

// The cells and triangles near the way of an edge. One that was not in the tissue comes in through the surface: then,
// and far from that, cells need not be looked at.
cg_edge_near cg_edge_find_near(const cg_tissue *tissue, cg_edge before, cg_edge after, bool was_in);
void cg_edge_locate(const cg_tissue *tissue, const cg_edge_near *near, cg_edge edge, cg_edge_place *place);

#endif
