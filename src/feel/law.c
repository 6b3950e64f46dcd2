#include "feel/law.h"

static const double LEAST_STIFFNESS = 0.5; // [N/m] a law that goes away is gone with less

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

// What goes away goes as a whole, force and stiffness: a spring that stayed would hold back a hand that leaps on.
static cg_law vanishing(const cg_law *law, double left)
{
    cg_law weaker = *law;
    weaker.force = v3_scale(left, law->force);
    weaker.push = left * law->push;
    weaker.stiffness = left * law->stiffness;
    weaker.is_there = weaker.stiffness > LEAST_STIFFNESS;
    return weaker;
}

cg_law cg_law_between(const cg_law *from, const cg_law *to, double share)
{
    if (!from->is_there && !to->is_there) {
        return *to;
    }
    // A cap that falls must be kept at once; one that rises costs energy.
    double cap = to->cap < from->cap ? to->cap : from->cap + share * (to->cap - from->cap);
    if (!to->is_there) {
        cg_law weaker = vanishing(from, 1 - share);
        weaker.cap = cap;
        return weaker;
    }
    cg_law begin = recast(from, to), mean = *to;
    mean.force = v3_add_scaled(begin.force, share, v3_sub(to->force, begin.force));
    mean.push = begin.push + share * (to->push - begin.push);
    mean.stiffness = begin.stiffness + share * (to->stiffness - begin.stiffness);
    mean.cap = cap;
    return mean;
}
