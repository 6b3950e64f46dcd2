// Shapes as a table.
//
// One line of names, then a line for each vertex. Numbers have as many digits as it takes to read the same value back:
// 9 for what is a float (recordings hold floats), 17 for others.
#include <string.h>

#include "export/formats.h"

static void write_number(FILE *out, double value)
{
    double shown = value == 0 ? 0 : value; // no "-0"
    fprintf(out, (double)(float)shown == shown ? ",%.9g" : ",%.17g", shown);
}

// Names with commas, quotes or line ends are quoted.
static void write_name(FILE *out, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        fputs(name, out);
        return;
    }
    fputc('"', out);
    for (const char *at = name; *at; at++) {
        if (*at == '"') {
            fputc('"', out);
        }
        fputc(*at, out);
    }
    fputc('"', out);
}

static void write_points(const cg_pose *pose, const char *name, const cg_vec3 *points, int count, FILE *out)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "%.12g,%llu,", pose->time, (unsigned long long)pose->step);
        write_name(out, name);
        fprintf(out, ",%d", i);
        write_number(out, points[i].x);
        write_number(out, points[i].y);
        write_number(out, points[i].z);
        fputc('\n', out);
    }
}

static void write_pose(const cg_poses *poses, const cg_pose *pose, FILE *out)
{
    for (int thread = 0; thread < pose->thread_count; thread++) {
        write_points(pose, poses->threads[thread].name, cg_pose_points(pose, thread),
                     cg_pose_vertex_count(pose, thread), out);
    }
    for (int tissue = 0; tissue < pose->tissue_count; tissue++) {
        const cg_vec3 *nodes = cg_pose_nodes(pose, tissue);
        write_points(pose, poses->tissues[tissue].name, nodes, nodes ? poses->tissues[tissue].node_count : 0, out);
    }
}

bool cg_export_csv(const cg_poses *poses, FILE *out, FILE *err)
{
    fputs("time,step,thread,vertex,x,y,z\n", out);
    for (size_t i = 0; i < poses->count && !ferror(out); i++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        write_pose(poses, &pose, out);
    }
    return true;
}

static void write_hand(const cg_pose *pose, const cg_pose_hand *hand, FILE *out)
{
    const cg_transform *at = &hand->pose;
    const double numbers[] = {at->position.x,      at->position.y,      at->position.z, at->rotation.x,
                              at->rotation.y,      at->rotation.z,      at->rotation.w, hand->opening,
                              hand->jaw_forces[0], hand->jaw_forces[1], hand->force.x,  hand->force.y,
                              hand->force.z,       hand->torque.x,      hand->torque.y, hand->torque.z};
    fprintf(out, "%.12g,%llu,", pose->time, (unsigned long long)pose->step);
    write_name(out, hand->name);
    fprintf(out, ",%s,%d", hand->tool, hand->closed);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        write_number(out, numbers[i]);
    }
    fputc('\n', out);
}

bool cg_export_hands_csv(const cg_poses *poses, FILE *out, FILE *err)
{
    fputs("time,step,hand,tool,closed,x,y,z,qx,qy,qz,qw,opening,jaw_force,other_jaw_force,", out);
    fputs("force_x,force_y,force_z,torque_x,torque_y,torque_z\n", out);
    for (size_t i = 0; i < poses->count && !ferror(out); i++) {
        cg_pose pose;
        if (!poses->fetch(poses->context, i, &pose, err)) {
            return false;
        }
        for (int k = 0; k < pose.hand_count; k++) {
            write_hand(&pose, &pose.hands[k], out);
        }
    }
    return true;
}
