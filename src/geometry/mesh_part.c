// Where the cells around a node, of a skin the triangles, are no longer joined: each part gets a node of its own.
#include "base/status.h"
#include "base/vec3.h"
#include "geometry/mesh_parts.h"

// Cells or triangles alike: items with a number of corners.
struct star {
    const cg_mesh *mesh;
    bool has_cells;
    int corners;
    const int *first, *next;
    int *side, *label;
};

static struct star star_of(const cg_mesh *mesh)
{
    bool has_cells = mesh->cell_count > 0;
    return (struct star){.mesh = mesh,
                         .has_cells = has_cells,
                         .corners = has_cells ? 4 : 3,
                         .first = has_cells ? mesh->first_cell : mesh->first_triangle,
                         .next = has_cells ? mesh->next_cell : mesh->next_triangle,
                         .side = has_cells ? mesh->cell_work : mesh->triangle_work,
                         .label = has_cells ? mesh->cell_label : mesh->triangle_label};
}

static const int *nodes_of(const struct star *star, int item)
{
    return star->has_cells ? star->mesh->cells[item].nodes : star->mesh->triangles[item].nodes;
}

static bool has(const int *nodes, int count, int node)
{
    for (int i = 0; i < count; i++) {
        if (nodes[i] == node) {
            return true;
        }
    }
    return false;
}

// Two items at a node share a face or an edge there; *is_on_blade says whether all its nodes are.
static bool share_face(const struct star *star, int p, int q, bool *is_on_blade)
{
    const int *a = nodes_of(star, p), *b = nodes_of(star, q);
    int common = 0, on_blade = 0;
    for (int i = 0; i < star->corners; i++) {
        if (has(b, star->corners, a[i])) {
            common++;
            on_blade += star->mesh->node_work[a[i]] == 1;
        }
    }
    *is_on_blade = on_blade == common;
    return common == star->corners - 1;
}

static bool are_joined(const struct star *star, int p, int q, bool is_cut)
{
    bool is_on_blade;
    return share_face(star, p, q, &is_on_blade) && !(is_cut && is_on_blade && star->side[p] != star->side[q]);
}

static void relabel(const struct star *star, int node, int from, int to)
{
    for (int at = star->first[node]; at >= 0; at = star->next[at]) {
        int *label = &star->label[at / star->corners];
        *label = *label == from ? to : *label;
    }
}

// Labels every item at the node by the first one of its part. Returns the number of parts.
static int label_parts(const struct star *star, int node, bool is_cut)
{
    int parts = 0;
    for (int at = star->first[node]; at >= 0; at = star->next[at]) {
        star->label[at / star->corners] = at / star->corners;
        parts++;
    }
    for (int at = star->first[node]; at >= 0; at = star->next[at]) {
        int p = at / star->corners;
        for (int other = star->next[at]; other >= 0; other = star->next[other]) {
            int q = other / star->corners, low = star->label[p], high = star->label[q];
            if (low != high && are_joined(star, p, q, is_cut)) {
                relabel(star, node, low > high ? low : high, low > high ? high : low);
                parts--;
            }
        }
    }
    return parts;
}

// Faces between parts: each comes to light twice.
static int count_faces_between(const struct star *star, int node)
{
    int count = 0;
    for (int at = star->first[node]; at >= 0; at = star->next[at]) {
        for (int other = star->next[at]; other >= 0; other = star->next[other]) {
            int p = at / star->corners, q = other / star->corners;
            bool is_on_blade;
            count += star->label[p] != star->label[q] && share_face(star, p, q, &is_on_blade);
        }
    }
    return count;
}

bool cg_mesh_have_item(const cg_mesh *mesh, int a, int b)
{
    struct star star = star_of(mesh);
    for (int at = star.first[a]; at >= 0; at = star.next[at]) {
        if (has(nodes_of(&star, at / star.corners), star.corners, b)) {
            return true;
        }
    }
    return false;
}

static int count_items(const struct star *star, int a, int b)
{
    int count = 0;
    for (int at = star->first[a]; at >= 0; at = star->next[at]) {
        count += has(nodes_of(star, at / star->corners), star->corners, b);
    }
    return count;
}

// d = c1 e1 + c2 e2 (+ c3 e3) with all c 0 or more, up to rounding.
static bool is_between(cg_vec3 d, const cg_vec3 *edges, int count)
{
    const double slack = -1e-6;
    cg_vec3 third = count == 3 ? edges[2] : v3_cross(edges[0], edges[1]);
    double volume = v3_dot(v3_cross(edges[0], edges[1]), third);
    double c1 = v3_dot(v3_cross(d, edges[1]), third) / volume, c2 = v3_dot(v3_cross(edges[0], d), third) / volume;
    double c3 = count == 3 ? v3_dot(v3_cross(edges[0], edges[1]), d) / volume : 0;
    return c1 >= slack && c2 >= slack && c3 >= slack;
}

bool cg_mesh_leads_inside(const cg_mesh *mesh, int node, cg_vec3 place)
{
    struct star star = star_of(mesh);
    for (int at = star.first[node]; at >= 0; at = star.next[at]) {
        const int *nodes = nodes_of(&star, at / star.corners);
        cg_vec3 edges[3];
        int count = 0;
        for (int i = 0; i < star.corners; i++) {
            if (nodes[i] != node) {
                edges[count++] = v3_sub(mesh->home[nodes[i]], mesh->home[node]);
            }
        }
        if (is_between(v3_sub(place, mesh->home[node]), edges, count)) {
            return true;
        }
    }
    return false;
}

// The side of the blade on which a node is: that of all its items with a face on the blade, 0 when they differ (a tip)
// or there are none.
static int side_of_node(const struct star *star, int node)
{
    const cg_mesh *mesh = star->mesh;
    if (mesh->node_work[node] != 1) {
        return mesh->node_work[node] - 1;
    }
    int side = 0;
    for (int at = star->first[node]; at >= 0; at = star->next[at]) {
        int on_blade = 0, item = at / star->corners;
        for (int i = 0; i < star->corners; i++) {
            on_blade += mesh->node_work[nodes_of(star, item)[i]] == 1;
        }
        if (on_blade >= star->corners - 1) {
            if (side != 0 && side != star->side[item]) {
                return 0;
            }
            side = star->side[item];
        }
    }
    return side;
}

bool cg_mesh_may_join(const cg_mesh *mesh, int a, int b)
{
    struct star star = star_of(mesh);
    int sides[2] = {side_of_node(&star, a), side_of_node(&star, b)};
    return sides[0] <= 0 || sides[1] <= 0 || sides[0] == sides[1];
}

void cg_mesh_close_surface(cg_mesh *mesh, int node)
{
    for (int at = mesh->first_cell[node]; at >= 0; at = mesh->next_cell[at]) {
        for (int face = 0; face < 4; face++) {
            cg_mesh_triangle made = {.cell = at / 4, .side = CG_SIDE_GROOVE};
            cg_mesh_face_nodes(mesh, at / 4, face, made.nodes);
            if (cg_mesh_find_cell(mesh, made.nodes, at / 4) < 0 && cg_mesh_find_triangle(mesh, made.nodes) < 0) {
                cg_mesh_new_triangle(mesh, &made, -1);
            }
        }
    }
}

// --- the parts get their nodes ---

static void move_items(cg_mesh *mesh, const struct star *star, int node, int label, int to)
{
    for (int at = mesh->first_triangle[node], next; at >= 0; at = next) {
        next = mesh->next_triangle[at];
        int item = star->has_cells ? mesh->triangles[at / 3].cell : at / 3;
        if (star->label[item] == label) {
            cg_mesh_set_triangle_node(mesh, at / 3, at % 3, to);
        }
    }
    for (int at = mesh->first_cell[node], next; at >= 0; at = next) {
        next = mesh->next_cell[at];
        if (star->label[at / 4] == label) {
            cg_mesh_set_cell_node(mesh, at / 4, at % 4, to);
        }
    }
}

// A link that no item has can be at the node: it leads into one there, and not across the blade.
static bool accepts(const cg_mesh *mesh, int node, int end, bool is_cut)
{
    return cg_mesh_leads_inside(mesh, node, mesh->home[end]) && (!is_cut || cg_mesh_may_join(mesh, node, end));
}

// By how much a node of a part counts for a link to `end`: by its items with both, or, when no part has such items
// (`by_items` false), by whether the link can be there at all.
static int claim(const cg_mesh *mesh, int node, int end, bool by_items, bool is_cut)
{
    struct star star = star_of(mesh);
    return by_items ? count_items(&star, node, end) : accepts(mesh, node, end, is_cut);
}

static int sum_of_claims(const cg_mesh *mesh, int node, int first_new, int end, bool by_items, bool is_cut)
{
    int sum = claim(mesh, node, end, by_items, is_cut);
    for (int made = first_new; made < mesh->node_count; made++) {
        sum += claim(mesh, made, end, by_items, is_cut);
    }
    return sum;
}

static int copy_link(cg_mesh *mesh, int link, int a, int b)
{
    int made = cg_mesh_new_link(mesh, a, b, mesh->links[link].kind);
    cg_mesh_link like = mesh->links[link];
    like.ends[0] = mesh->links[made].ends[0];
    like.ends[1] = mesh->links[made].ends[1];
    mesh->links[made] = like;
    return made;
}

// A link of the old node goes to all parts that claim it, its own stiffness by their claims. One that nobody claims
// stays where it is.
static void share_link(cg_mesh *mesh, int link, int node, int first_new, bool is_cut)
{
    const int *ends = mesh->links[link].ends;
    int end = ends[0] == node ? ends[1] : ends[0];
    int total = sum_of_claims(mesh, node, first_new, end, true, is_cut);
    bool by_items = total > 0;
    total = by_items ? total : sum_of_claims(mesh, node, first_new, end, false, is_cut);
    if (total == 0) {
        return;
    }
    double own = mesh->links[link].own;
    int ours = claim(mesh, node, end, by_items, is_cut);
    bool is_given = ours > 0;
    mesh->links[link].own = is_given ? own * ours / total : own;
    for (int made = first_new, last = mesh->node_count; made < last; made++) {
        int theirs = claim(mesh, made, end, by_items, is_cut), target = link;
        if (theirs == 0) {
            continue;
        }
        if (is_given) {
            target = copy_link(mesh, link, made, end);
        } else {
            cg_mesh_set_link_ends(mesh, link, made, end);
        }
        mesh->links[target].own = own * theirs / total;
        is_given = true;
    }
}

// At most: a link for each part that has an item with the other end, or for all of them when none has.
static int links_to_add(const struct star *star, int node, int parts)
{
    const cg_mesh *mesh = star->mesh;
    int count = 0;
    for (int at = mesh->first_link[node]; at >= 0; at = mesh->next_link[at]) {
        int end = mesh->links[at / 2].ends[1 - at % 2], claims = 0;
        // items whose label is seen for the first time
        for (int place = star->first[node]; place >= 0; place = star->next[place]) {
            int item = place / star->corners;
            bool is_new = has(nodes_of(star, item), star->corners, end);
            for (int before = star->first[node]; is_new && before != place; before = star->next[before]) {
                int other = before / star->corners;
                is_new = star->label[other] != star->label[item] || !has(nodes_of(star, other), star->corners, end);
            }
            claims += is_new;
        }
        count += (claims > 0 ? claims : parts) - 1;
    }
    return count;
}

static void share_links(cg_mesh *mesh, int node, int first_new, bool is_cut)
{
    for (int at = mesh->first_link[node], next; at >= 0; at = next) {
        next = mesh->next_link[at];
        share_link(mesh, at / 2, node, first_new, is_cut);
    }
}

cg_status cg_mesh_part_node(cg_mesh *mesh, int node, bool is_cut, int *parted)
{
    struct star star = star_of(mesh);
    int parts = label_parts(&star, node, is_cut);
    if (parts < 2) {
        return cg_ok();
    }
    int triangles = star.has_cells ? 2 * count_faces_between(&star, node) : 0;
    if (mesh->node_count + parts - 1 > mesh->limits.nodes ||
        mesh->link_count + links_to_add(&star, node, parts) > mesh->limits.links ||
        mesh->triangle_count + triangles > mesh->limits.triangles) {
        return cg_error(CG_FULL, "no room to part a node");
    }
    int first_new = mesh->node_count, kept = star.label[star.first[node] / star.corners];
    for (int made = first_new; made < first_new + parts - 1; made++) {
        int at = star.first[node];
        while (star.label[at / star.corners] == kept) {
            at = star.next[at];
        }
        int label = star.label[at / star.corners];
        cg_mesh_new_node(mesh, (int[3]){node, -1, -1}, (double[3]){1, 0, 0});
        mesh->node_work[made] = 1;
        move_items(mesh, &star, node, label, made);
    }
    share_links(mesh, node, first_new, is_cut);
    for (int made = first_new - 1; made < mesh->node_count; made++) {
        int at = made < first_new ? node : made;
        cg_mesh_close_surface(mesh, at);
        cg_mesh_refresh_node(mesh, at);
    }
    *parted += parts - 1;
    return cg_ok();
}
