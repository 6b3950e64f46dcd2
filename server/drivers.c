// Who drives hands. A hand has one driver. Guests are clients who watch a session that is somebody else's: they look
// and ask, and those who work there give them their hands, or do not, and take them back when they like.
#include "host_inside.h"

cg_answer cg_host_take_hand(cg_host *host, int client, const cg_message *message)
{
    int hand = message->as.take_hand.hand;
    if (hand >= cg_scene_hand_count(host->scene) || hand >= CG_HOST_MOST_HANDS) {
        return cg_answer_fault(CG_CHOICE_fault_not_found, "there is no hand %d", hand);
    }
    if (cg_host_is_led(host, hand)) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "a device leads hand %d", hand);
    }
    if (host->drivers[hand] != 0 && host->drivers[hand] != client + 1) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "hand %d is driven by client %u", hand,
                               host->clients[host->drivers[hand] - 1].number);
    }
    cg_host_set_driver(host, hand, client);
    return cg_answer_done();
}

cg_answer cg_host_leave_hand(cg_host *host, int client, const cg_message *message)
{
    int hand = message->as.leave_hand.hand;
    if (hand >= CG_HOST_MOST_HANDS || host->drivers[hand] != client + 1) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "this client does not drive hand %d", hand);
    }
    cg_host_set_driver(host, hand, -1);
    return cg_answer_done();
}

static cg_host_client *find_client(cg_host *host, uint32_t number, int *place)
{
    for (*place = 0; *place < CG_HOST_MOST_CLIENTS; (*place)++) {
        if (host->clients[*place].joined && host->clients[*place].number == number) {
            return &host->clients[*place];
        }
    }
    return NULL;
}

static bool drives(const cg_host *host, int client)
{
    for (int i = 0; i < CG_HOST_MOST_HANDS; i++) {
        if (host->drivers[i] == client + 1) {
            return true;
        }
    }
    return false;
}

// Who may give hands: those who work here, and of them those who drive any when some do.
static bool may_give(const cg_host *host, int client, bool any_drives)
{
    const cg_host_client *self = &host->clients[client];
    return self->joined && self->may_control && !self->is_guest && (!any_drives || drives(host, client));
}

cg_answer cg_host_ask_hands(cg_host *host, int client, const cg_message *message)
{
    (void)message;
    bool any_drives = false, is_heard = false;
    cg_host_client *self = &host->clients[client];
    cg_message asked = {.kind = CG_MESSAGE_hands_asked, .as.hands_asked = {.client = self->number, .name = self->name}};
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        any_drives = any_drives || (i != client && host->clients[i].joined && drives(host, i));
    }
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        if (i != client && may_give(host, i, any_drives)) {
            self->asked = true;
            is_heard = true;
            cg_host_send(host, i, &asked);
        }
    }
    return is_heard ? cg_answer_done() : cg_answer_fault(CG_CHOICE_fault_not_found, "nobody is here to give them");
}

static void hand_over(cg_host *host, int from, int to)
{
    for (int i = 0; i < CG_HOST_MOST_HANDS; i++) {
        if (host->drivers[i] == from + 1) {
            cg_host_set_driver(host, i, to);
        }
    }
}

static void take_back(cg_host *host, int client)
{
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        if (i != client && host->clients[i].was_given) {
            host->clients[i].was_given = false;
            host->clients[i].is_guest = host->clients[i].came_as_guest;
            hand_over(host, i, client);
        }
    }
}

cg_answer cg_host_give_hands(cg_host *host, int client, const cg_message *message)
{
    int place;
    if (host->clients[client].was_given) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "these hands are lent");
    }
    if (message->as.give_hands.client == 0) {
        take_back(host, client);
        return cg_answer_done();
    }
    cg_host_client *to = find_client(host, message->as.give_hands.client, &place);
    if (to == NULL || place == client) {
        return cg_answer_fault(CG_CHOICE_fault_not_found, "there is no such client here");
    }
    if (!to->asked) {
        return cg_answer_fault(CG_CHOICE_fault_not_allowed, "that client did not ask for the hands");
    }
    take_back(host, client);
    to->asked = false;
    to->was_given = true;
    to->is_guest = false;
    hand_over(host, client, place);
    return cg_answer_done();
}
