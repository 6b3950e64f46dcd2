// A ball of the squares of a cube's sides, each node moved by polynomials of its direction. Nothing but + - * / and
// sqrt, so that the file is the same everywhere.
#include "support/organ_shape.h"

#include <math.h>
#include <string.h>

enum { STEPS = 14, NODES = 6 * STEPS * STEPS + 2 };

typedef struct place {
    double x, y, z;
} place;

// [mm] 200 wide, thick on the right and a margin on the left; flatter below, with a hollow for what lies under it.
static place liver(place d)
{
    double right = 0.5 * (1 + d.x), size = 0.42 + 0.58 * right * (2 - right), front = 0.5 * (1 - d.y);
    double thin = 1 - 0.45 * front * front * (1 - 0.3 * right);
    double z = d.z > 0 ? 52 * d.z * thin : 30 * d.z * thin + 9 * (1 - d.x * d.x) * (1 - d.y * d.y);
    return (place){100 * d.x, 72 * size * d.y - 10 * (1 - right), z * size + 12 * right - 8 * d.x * d.y};
}

// [mm] 70 long, its tip rounded and thinner, a furrow along its back.
static place tongue(place d)
{
    double back = 0.5 * (1 - d.x), size = 0.5 + 0.5 * back * (2 - back), across = d.y * d.y;
    double furrow = d.z > 0 ? 1.6 * (1 - across) * (1 - across) * (1 - across) * d.z : 0;
    double rise = 9 * back * back;
    return (place){38 * d.x, 21 * size * d.y, 12 * size * d.z - furrow + rise};
}

// Node of place (i, j) on a side of the cube; those of the same place are one.
static int node_of(place *nodes, int *count, int side, int i, int j)
{
    int at[3], axis = side / 2;
    at[axis] = side % 2 == 0 ? 0 : STEPS;
    at[(axis + 1) % 3] = i;
    at[(axis + 2) % 3] = j;
    place p = {2.0 * at[0] / STEPS - 1, 2.0 * at[1] / STEPS - 1, 2.0 * at[2] / STEPS - 1};
    for (int k = 0; k < *count; k++) {
        if (nodes[k].x == p.x && nodes[k].y == p.y && nodes[k].z == p.z) {
            return k;
        }
    }
    nodes[*count] = p;
    return (*count)++;
}

bool cg_organ_write(const char *name, FILE *out)
{
    place (*shape)(place d) = strcmp(name, "liver") == 0 ? liver : (strcmp(name, "tongue") == 0 ? tongue : NULL);
    place nodes[NODES];
    int faces[6 * STEPS * STEPS][4], count = 0;
    if (shape == NULL) {
        return false;
    }
    for (int f = 0; f < 6 * STEPS * STEPS; f++) {
        int side = f / (STEPS * STEPS), i = f % STEPS, j = f / STEPS % STEPS, out_wards = side % 2;
        faces[f][0] = node_of(nodes, &count, side, i, j);
        faces[f][out_wards ? 1 : 3] = node_of(nodes, &count, side, i + 1, j);
        faces[f][2] = node_of(nodes, &count, side, i + 1, j + 1);
        faces[f][out_wards ? 3 : 1] = node_of(nodes, &count, side, i, j + 1);
    }
    fprintf(out, "# made by catgut: a %s, in millimetres\n", name);
    for (int i = 0; i < count; i++) {
        place p = nodes[i];
        double length = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
        p = shape((place){p.x / length, p.y / length, p.z / length});
        fprintf(out, "v %.3f %.3f %.3f\n", p.x, p.y, p.z);
    }
    for (int f = 0; f < 6 * STEPS * STEPS; f++) {
        fprintf(out, "f %d %d %d %d\n", faces[f][0] + 1, faces[f][1] + 1, faces[f][2] + 1, faces[f][3] + 1);
    }
    return true;
}
