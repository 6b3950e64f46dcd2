// What of a mesh has changed since springs were compiled, and its links as rows of springs: for compile.c.
#ifndef CATGUT_TISSUE_LINKS_H
#define CATGUT_TISSUE_LINKS_H

#include "tissue/springs.h"

// What `strained` says of a node while springs are compiled: it was made elsewhere, has other links, another row, or
// other cells.
enum { CG_NODE_MOVED = 1, CG_NODE_RELINKED = 2, CG_NODE_REROWED = 4, CG_NODE_RECELLED = 8 };

// Lists neighbours and rows, sums the stiffness of each node, finds the shortest link, and marks the nodes.
void cg_springs_list_links(cg_springs *springs, const cg_mesh *mesh);

#endif
