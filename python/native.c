#include "native.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/text.h"

// Memory

// In front of every block: the list of those that wait goes through it, so that what is behind it stays as it was.
typedef union block_head {
    union block_head *next;
    max_align_t alignment;
} block_head;

struct cg_py_memory {
    atomic_flag busy; // held for a few instructions: garbage is collected in any thread
    int pins, blocks, waiting;
    bool left;
    block_head *first;
};

static void lock(cg_py_memory *memory)
{
    while (atomic_flag_test_and_set_explicit(&memory->busy, memory_order_acquire)) {
    }
}

static void unlock(cg_py_memory *memory)
{
    atomic_flag_clear_explicit(&memory->busy, memory_order_release);
}

cg_py_memory *cg_py_memory_create(void)
{
    cg_py_memory *memory = calloc(1, sizeof *memory);
    if (memory != NULL) {
        atomic_flag_clear(&memory->busy);
    }
    return memory;
}

static void *allocate(void *context, size_t bytes)
{
    cg_py_memory *memory = context;
    block_head *head = bytes < SIZE_MAX - sizeof *head ? malloc(sizeof *head + bytes) : NULL;
    if (head == NULL) {
        return NULL;
    }
    lock(memory);
    memory->blocks++;
    unlock(memory);
    return head + 1;
}

static void release(void *context, void *block)
{
    cg_py_memory *memory = context;
    if (block == NULL) {
        return;
    }
    block_head *head = (block_head *)block - 1;
    lock(memory);
    bool waits = memory->pins > 0;
    memory->blocks--;
    if (waits) {
        head->next = memory->first;
        memory->first = head;
        memory->waiting++;
    }
    unlock(memory);
    if (!waits) {
        free(head);
    }
}

// Takes out what may go now: with nobody looking all that waits, and when the world has ended too, the memory itself.
static void let_go(cg_py_memory *memory, int pins, bool leave)
{
    lock(memory);
    memory->pins += pins;
    memory->left = memory->left || leave;
    block_head *first = memory->pins == 0 ? memory->first : NULL;
    if (memory->pins == 0) {
        memory->first = NULL;
        memory->waiting = 0;
    }
    bool over = memory->pins == 0 && memory->left;
    unlock(memory);
    while (first != NULL) {
        block_head *next = first->next;
        free(first);
        first = next;
    }
    if (over) {
        free(memory);
    }
}

void cg_py_memory_leave(cg_py_memory *memory)
{
    let_go(memory, 0, true);
}

void cg_py_memory_pin(cg_py_memory *memory)
{
    let_go(memory, 1, false);
}

void cg_py_memory_unpin(cg_py_memory *memory)
{
    let_go(memory, -1, false);
}

void cg_py_memory_use(cg_py_memory *memory, cg_allocator *allocator)
{
    *allocator = (cg_allocator){.allocate = allocate, .release = release, .context = memory};
}

int cg_py_memory_waiting(const cg_py_memory *memory)
{
    return memory->waiting;
}

int cg_py_memory_blocks(const cg_py_memory *memory)
{
    return memory->blocks;
}

// Loops

void cg_py_step(cg_session *session, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        cg_session_step(session);
    }
}

void cg_py_step_attempt(cg_session *session, cg_attempt *attempt, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        cg_session_step(session);
        cg_attempt_look(attempt);
    }
}

int64_t cg_py_step_script(cg_session *session, cg_attempt *attempt, int64_t most)
{
    int64_t made = 0;
    while (made < most && cg_session_get_script(session).phase == CG_SCRIPT_RUNNING) {
        cg_session_step(session);
        made++;
        if (attempt != NULL && cg_attempt_look(attempt).over) {
            break;
        }
    }
    return made;
}

cg_status cg_py_move_hands(cg_session *session, const int *hands, const double *poses, int count, double time)
{
    for (int i = 0; i < count; i++) {
        const double *pose = poses + 7 * i;
        cg_operation operation = {
            .kind = CG_OPERATION_move_hand,
            .as.move_hand = {.hand = hands[i],
                             .position = {pose[0], pose[1], pose[2]},
                             .rotation = {pose[3], pose[4], pose[5], pose[6]},
                             .time = time},
        };
        cg_status status = cg_session_apply(session, &operation);
        if (status.code != CG_OK) {
            return status;
        }
    }
    return (cg_status){0};
}

void cg_py_contacts(const cg_world *world, cg_contact_info *contacts, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_get_contact(world, i, &contacts[i]);
    }
}

void cg_py_anchors(const cg_world *world, cg_anchor *anchors, int count)
{
    for (int i = 0; i < count; i++) {
        cg_world_get_anchor(world, i, &anchors[i]);
    }
}

void cg_py_triangles(const cg_world *world, cg_tissue_id id, int *corners, int *sides, int count)
{
    for (int i = 0; i < count; i++) {
        cg_tissue_get_triangle(world, id, i, corners + 3 * i, &sides[i]);
    }
}

static const double *pinned(cg_py_memory *memory, const void *array, int count)
{
    if (array == NULL || count == 0) {
        return NULL;
    }
    cg_py_memory_pin(memory);
    return array;
}

const double *cg_py_show_thread(cg_py_memory *memory, const cg_session *session, int place, cg_py_shown what,
                                int *count)
{
    const cg_world *world = cg_session_world(session);
    cg_thread_id id = cg_session_thread(session, place);
    const void *array = NULL;
    *count = 0;
    switch (what) {
    case CG_PY_POSITIONS:
        array = cg_thread_positions(world, id, count);
        break;
    case CG_PY_VELOCITIES:
        array = cg_thread_velocities(world, id, count);
        break;
    case CG_PY_ARCS:
        array = cg_thread_arcs(world, id, count);
        break;
    case CG_PY_REST_LENGTHS:
        array = cg_thread_rest_lengths(world, id, count);
        break;
    case CG_PY_HOMES:
        break;
    }
    return pinned(memory, array, *count);
}

const double *cg_py_show_tissue(cg_py_memory *memory, const cg_session *session, int place, cg_py_shown what,
                                int *count)
{
    const cg_world *world = cg_session_world(session);
    cg_tissue_id id = cg_session_tissue(session, place);
    const void *array = NULL;
    *count = 0;
    if (what == CG_PY_POSITIONS) {
        array = cg_tissue_positions(world, id, count);
    } else if (what == CG_PY_VELOCITIES) {
        array = cg_tissue_velocities(world, id, count);
    } else if (what == CG_PY_HOMES) {
        array = cg_tissue_homes(world, id, count);
    }
    return pinned(memory, array, *count);
}

cg_status cg_py_knot(const cg_world *world, const cg_thread_id *threads, int count, cg_knot_report *report)
{
    cg_knot_thread shapes[CG_KNOT_MAX_THREADS] = {0};
    for (int i = 0; i < count && i < CG_KNOT_MAX_THREADS; i++) {
        shapes[i].points = cg_thread_positions(world, threads[i], &shapes[i].count);
    }
    return cg_knot_identify(shapes, count, NULL, report);
}

cg_rigid_id cg_py_body(const cg_world *world, int place)
{
    // The bodies of a scene are the first of their places.
    for (unsigned generation = 0; generation < 2; generation++) {
        cg_rigid_id id = {.index = (unsigned)place + 1, .generation = generation};
        if (cg_rigid_is_valid(world, id)) {
            return id;
        }
    }
    return (cg_rigid_id){0};
}

// Recordings

bool cg_py_bytes_add(void *context, const void *from, size_t size)
{
    cg_py_bytes *to = context;
    if (size > to->room - to->size) {
        size_t room = 2 * to->room + size + 65536;
        unsigned char *larger = realloc(to->bytes, room);
        if (larger == NULL) {
            return false;
        }
        to->bytes = larger;
        to->room = room;
    }
    memcpy(to->bytes + to->size, from, size);
    to->size += size;
    return true;
}

void cg_py_bytes_free(cg_py_bytes *bytes)
{
    free(bytes->bytes);
    *bytes = (cg_py_bytes){0};
}

uint64_t cg_py_replay(cg_session *session, cg_recording *recording, uint64_t *wrong_step)
{
    uint64_t last = cg_recording_step_count(recording), agreed = 0, at = 0, hash = 0;
    size_t next = 0, next_hash = 0;
    cg_operation operation;
    *wrong_step = UINT64_MAX;
    for (uint64_t step = 0;; step++) {
        while (cg_recording_hash(recording, next_hash, &at, &hash) && at <= step) {
            bool same = at == step && hash == cg_world_state_hash(cg_session_world(session));
            agreed += same;
            if (!same && *wrong_step == UINT64_MAX) {
                *wrong_step = step;
            }
            next_hash++;
        }
        if (step >= last) {
            return agreed;
        }
        while (cg_recording_operation(recording, next, &operation) && operation.step <= step) {
            cg_session_apply(session, &operation);
            next++;
        }
        cg_session_step(session);
    }
}

// Scenes

char *cg_py_set_json(const char *text, size_t size, const char *name, const char *const *pointers,
                     const char *const *values, int count, size_t *new_size, cg_scene_error *error)
{
    cg_json_tree *tree = NULL;
    int bad = -1;
    if (cg_json_tree_read(text, size, name, NULL, &tree, error) != CG_OK) {
        return NULL;
    }
    char *changed = cg_json_set(cg_json_root(tree), pointers, values, count, new_size, &bad);
    if (changed == NULL) {
        *error = (cg_scene_error){0};
        snprintf(error->file, sizeof error->file, "%s", name);
        snprintf(error->message, sizeof error->message, bad < 0 ? "no memory" : "the pointer \"%s\" leads nowhere",
                 bad < 0 ? "" : pointers[bad]);
    }
    cg_json_tree_free(tree);
    return changed;
}

void cg_py_free(void *memory)
{
    free(memory);
}

// Points of an attempt as it is now; `progress` are those of what has to be reached, which grow while it is done well.
cg_status cg_py_points(cg_worlds *batch, const cg_task *task, int world, double *points, double *most, double *progress)
{
    cg_measures measures;
    *points = *most = *progress = 0;
    cg_status status = cg_worlds_measure(batch, world, &measures);
    if (status.code != CG_OK) {
        return status;
    }
    cg_score score = cg_task_score(task, &measures);
    *points = score.points;
    *most = score.most;
    for (int i = 0; i < score.line_count; i++) {
        const cg_score_line *line = &score.lines[i];
        bool is_progress = line->must && cg_measure_get_info(line->measure)->higher_is_better;
        *progress += is_progress && line->got.known ? line->points : 0;
    }
    return status;
}
