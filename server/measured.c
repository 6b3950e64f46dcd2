// What takes long: a recording is measured, for somebody who asks for it or because an attempt ended. Whoever made the
// host may have that done by another thread; then the world goes on meanwhile, and what was measured is told when it is
// taken back. A piece of such work shares nothing with the host but its functions of training and is_ending.
#define _POSIX_C_SOURCE 200809L // strdup

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_inside.h"

struct cg_host_piece {
    const cg_host_def *def; // of the host
    int client;             // who waits for it
    uint32_t number;        // of that client: another one may have its place by then

    // What was asked for, with texts of its own; the answer.
    cg_wire_ask_training asked;
    char *task, *trainee, *json;
    size_t size;

    // Or an attempt that ended; NULL: none.
    void *ended;
    cg_trying trying;

    bool good;
    char why[CG_HOST_WHY_BYTES];
};

static void free_piece(cg_host_piece *piece)
{
    free(piece->task);
    free(piece->trainee);
    free(piece->json);
    free(piece);
}

void cg_host_work(void *context)
{
    cg_host_piece *piece = context;
    const cg_host_training *training = &piece->def->training;
    if (piece->ended != NULL) { // what somebody did is noted in any case
        piece->good = training->score(piece->ended, piece->why);
        return;
    }
    if (piece->def->is_ending(piece->def->context)) {
        snprintf(piece->why, sizeof piece->why, "the program ends");
        return;
    }
    piece->json = training->tell(training->context, &piece->asked, &piece->size, piece->why);
    piece->good = piece->json != NULL;
}

static cg_host_piece *make_piece(const cg_host *host, int client)
{
    cg_host_piece *piece = calloc(1, sizeof *piece);
    if (piece != NULL) {
        piece->def = &host->def;
        piece->client = client;
        piece->number = host->clients[client].number;
    }
    return piece;
}

static void tell_piece(cg_host *host, const cg_host_piece *piece)
{
    const cg_host_client *client = &host->clients[piece->client];
    if (!client->joined || client->number != piece->number) {
        return;
    }
    if (piece->ended != NULL) {
        cg_host_tell_attempt(host, &piece->trying, piece->good ? "finished" : "failed", piece->good ? "" : piece->why);
    } else if (piece->good) {
        cg_message done = {.kind = CG_MESSAGE_done, .as.done = {.request = piece->asked.request}};
        cg_host_send_training(host, piece->client, piece->asked.request, piece->asked.kind, piece->json, piece->size);
        cg_host_send(host, piece->client, &done);
    } else {
        cg_message fault = {
            .kind = CG_MESSAGE_error,
            .as.error = {.request = piece->asked.request, .code = CG_CHOICE_fault_bad_text, .message = piece->why}};
        cg_host_send(host, piece->client, &fault);
    }
}

// Later, or at once where nobody does it later. False when there is too much of it; then it is still the caller's.
static bool start(cg_host *host, cg_host_piece *piece)
{
    if (host->def.work_later != NULL) {
        bool fits = host->def.work_later(host->def.context, piece);
        host->pieces += fits;
        return fits;
    }
    cg_host_work(piece);
    tell_piece(host, piece);
    free_piece(piece);
    return true;
}

cg_answer cg_host_measure(cg_host *host, int client, const cg_wire_ask_training *asked)
{
    cg_host_piece *piece = make_piece(host, client);
    if (piece == NULL) {
        return cg_answer_fault(CG_CHOICE_fault_failed, "no memory");
    }
    piece->asked = *asked;
    piece->asked.task = piece->task = strdup(asked->task);
    piece->asked.trainee = piece->trainee = strdup(asked->trainee);
    if (piece->task != NULL && piece->trainee != NULL && start(host, piece)) {
        return cg_answer_silent(); // said already, or when it is done
    }
    free_piece(piece);
    return cg_answer_fault(CG_CHOICE_fault_refused, "too much is being measured; ask again");
}

void cg_host_score(cg_host *host, void *ended, const cg_trying *trying)
{
    cg_host_piece *piece = make_piece(host, trying->client);
    if (piece == NULL) {
        char unused[CG_HOST_WHY_BYTES];
        host->def.training.score(ended, unused); // nobody is told, but it is noted
        return;
    }
    piece->ended = ended;
    piece->trying = *trying;
    if (!start(host, piece)) { // what somebody did must not be lost
        cg_host_work(piece);
        tell_piece(host, piece);
        free_piece(piece);
    }
}

void cg_host_settle(cg_host *host)
{
    cg_host_take_measured(host, true);
}

void cg_host_take_measured(cg_host *host, bool tell)
{
    cg_host_piece *piece;
    while (host->pieces > 0 && (piece = host->def.take_done(host->def.context)) != NULL) {
        host->pieces--;
        if (tell) {
            tell_piece(host, piece);
        }
        free_piece(piece);
    }
}
