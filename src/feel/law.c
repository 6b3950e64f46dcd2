#include "feel/law.h"

static cg_vec3 uncapped(const cg_law *law, cg_vec3 place)
{
    cg_vec3 way = v3_sub(law->origin, place);
    if (!law->is_there) {
        return v3_zero();
    }
    if (law->holds) {
        return v3_add_scaled(law->force, law->stiffness, way);
    }
    double push = law->push + law->stiffness * v3_dot(law->normal, way);
    return v3_scale(push > 0 ? push : 0, law->normal);
}

cg_vec3 cg_law_force(const cg_law *law, cg_vec3 place)
{
    cg_vec3 force = uncapped(law, place);
    double length = v3_length(force);
    return length > law->cap ? v3_scale(law->cap / length, force) : force;
}

double cg_law_energy(const cg_law *law, cg_vec3 place)
{
    double length = v3_length(uncapped(law, place));
    if (!law->is_there) {
        return 0;
    }
    return length <= law->cap ? 0.5 * length * length / law->stiffness
                              : law->cap * (length - 0.5 * law->cap) / law->stiffness;
}

cg_law cg_law_moved(const cg_law *law, cg_vec3 origin)
{
    cg_law moved = *law;
    cg_vec3 way = v3_sub(law->origin, origin);
    moved.origin = origin;
    moved.force = v3_add_scaled(law->force, law->stiffness, way);
    moved.push = law->push + law->stiffness * v3_dot(law->normal, way);
    return moved;
}

// `law` as one of the kind and direction of `as`.
static cg_law recast(const cg_law *law, const cg_law *as)
{
    cg_law cast = *as;
    cast.cap = law->cap;
    if (!law->is_there) {
        cast.force = v3_zero();
        cast.push = as->push < 0 ? as->push : 0;
        return cast;
    }
    cast.stiffness = law->stiffness;
    cg_vec3 force = law->holds ? law->force : v3_scale(law->push > 0 ? law->push : 0, law->normal);
    bool same_side = !law->holds && v3_dot(law->normal, as->normal) > 0;
    cast.force = force;
    cast.push = same_side && law->push < 0 ? law->push : v3_dot(force, as->normal);
    return cast;
}

cg_law cg_law_between(const cg_law *from, const cg_law *to, double share)
{
    if (!from->is_there && !to->is_there) {
        return *to;
    }
    const cg_law *kind = to->is_there ? to : from;
    cg_law a = recast(from, kind), b = recast(to, kind), mean = *kind;
    mean.force = v3_add_scaled(a.force, share, v3_sub(b.force, a.force));
    mean.push = a.push + share * (b.push - a.push);
    mean.stiffness = a.stiffness + share * (b.stiffness - a.stiffness);
    // A cap that falls must be kept at once; one that rises costs energy.
    mean.cap = to->cap < from->cap ? to->cap : from->cap + share * (to->cap - from->cap);
    return mean;
}
