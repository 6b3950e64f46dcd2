// The link between the two threads, from both sides in one thread: order, limits, and who may use a slot.
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "link.h"

static int wakes;

static void wake(void *context)
{
    (void)context;
    wakes++;
}

// What the simulation got, as a text: j join, l leave, and the bytes that were said.
static char heard[256];

static void take(void *context, cg_news news, int client, const void *bytes, size_t size)
{
    cg_link *link = context;
    char *end = heard + strlen(heard);
    if (news == CG_NEWS_SAY) {
        memcpy(end, bytes, size);
        end[size] = '\0';
    } else {
        strcpy(end, news == CG_NEWS_JOIN ? "j" : "l");
    }
    if (news == CG_NEWS_LEAVE) {
        cg_link_release(link, client);
    }
}

static void hear(cg_link *link, const char *expected)
{
    heard[0] = '\0';
    cg_link_receive(link, 0, take, link);
    CHECK_STR(heard, expected);
}

TEST(news_come_in_order)
{
    cg_link *link = cg_link_create(wake, NULL);
    int one = cg_link_connect(link);
    CHECK(cg_link_say(link, one, "hello", 5));
    int two = cg_link_connect(link);
    CHECK(one != two);
    CHECK(cg_link_say(link, two, "there", 5));
    cg_link_disconnect(link, one);
    hear(link, "jhellojtherel");
    hear(link, "");
    cg_link_destroy(link);
}

TEST(answers_wait_in_order_and_end_with_the_goodbye)
{
    cg_link *link = cg_link_create(wake, NULL);
    int client = cg_link_connect(link);
    cg_link_answer answer;
    CHECK(!cg_link_next_answer(link, client, &answer));
    wakes = 0;
    cg_link_send(link, client, "one", 3);
    cg_link_send(link, client, "two", 3);
    CHECK_INT(wakes, 2);
    CHECK(cg_link_next_answer(link, client, &answer) && memcmp(answer.bytes, "one", 3) == 0);
    memset(answer.bytes - CG_LINK_HEAD_BYTES, 0xff, CG_LINK_HEAD_BYTES); // free for the header of a WebSocket
    cg_link_hang_up(link, client, 4000, "bye");
    CHECK(cg_link_next_answer(link, client, &answer) && answer.size == 3 && memcmp(answer.bytes, "two", 3) == 0);
    CHECK(cg_link_has_answer(link, client));
    CHECK(cg_link_next_answer(link, client, &answer) && answer.close_code == 4000);
    CHECK(!cg_link_next_answer(link, client, &answer));
    CHECK(!cg_link_has_answer(link, client));
    cg_link_destroy(link);
}

TEST(a_slot_is_free_only_after_both_sides_let_go)
{
    cg_link *link = cg_link_create(wake, NULL);
    for (int i = 0; i < CG_HOST_MOST_CLIENTS; i++) {
        CHECK_INT(cg_link_connect(link), i);
    }
    CHECK_INT(cg_link_connect(link), -1);
    cg_link_disconnect(link, 5);
    cg_link_send(link, 5, "late", 4); // the simulation does not know yet
    CHECK_INT(cg_link_connect(link), -1);
    heard[0] = '\0';
    cg_link_receive(link, 0, take, link);
    CHECK_INT(cg_link_connect(link), 5);
    CHECK(!cg_link_has_answer(link, 5)); // the next client does not get it
    cg_link_destroy(link);
}

TEST(queues_are_bounded)
{
    cg_link *link = cg_link_create(wake, NULL);
    static unsigned char large[200 * 1024];
    int slow = cg_link_connect(link), other = cg_link_connect(link);
    size_t sent = 0;
    while (!cg_link_is_flooded(link, slow) && sent < 100) {
        cg_link_send(link, slow, large, sizeof large);
        sent++;
    }
    CHECK(sent * sizeof large > CG_LINK_MOST_OUT_BYTES && sent * sizeof large < 3 * CG_LINK_MOST_OUT_BYTES);
    CHECK(!cg_link_is_flooded(link, other));
    for (int i = 0; i <= CG_LINK_MOST_OUT_MESSAGES; i++) {
        cg_link_send(link, other, "x", 1);
    }
    CHECK(cg_link_is_flooded(link, other));
    size_t said = 0;
    while (cg_link_say(link, other, large, sizeof large) && said < 1000) {
        said++;
    }
    CHECK(said * sizeof large <= CG_LINK_MOST_IN_BYTES && (said + 2) * sizeof large > CG_LINK_MOST_IN_BYTES);
    cg_link_disconnect(link, other); // this is always heard
    cg_link_destroy(link);
}

TEST(surfaces_may_be_larger_than_all_else_that_waits)
{
    cg_link *link = cg_link_create(wake, NULL);
    static unsigned char surface[3 * 1024 * 1024];
    int client = cg_link_connect(link);
    cg_link_send(link, client, surface, sizeof surface);
    cg_link_send(link, client, surface, sizeof surface);
    cg_link_send(link, client, "done", 4);
    CHECK(!cg_link_is_flooded(link, client));
    size_t sent = 2;
    while (!cg_link_is_flooded(link, client) && sent < 100) {
        cg_link_send(link, client, surface, sizeof surface);
        sent++;
    }
    CHECK(sent * sizeof surface > CG_LINK_MOST_OUT_LARGE &&
          sent * sizeof surface < CG_LINK_MOST_OUT_LARGE + 3 * sizeof surface);
    cg_link_destroy(link);
}

TEST(the_newest_frame_is_shown)
{
    cg_link *link = cg_link_create(wake, NULL);
    uint32_t acknowledged[CG_HOST_MOST_CLIENTS] = {0};
    unsigned entered;
    int client = cg_link_connect(link);
    CHECK(cg_link_newest_frame(link, client, &entered) == NULL); // it is in no session yet
    cg_link_enter(link, client, 2);
    CHECK(cg_link_newest_frame(link, client, &entered) == NULL);
    cg_link_publish(link, 2, "first", 5, acknowledged);
    acknowledged[3] = 9;
    cg_link_publish(link, 2, "second one", 10, acknowledged);
    cg_link_frame *frame = cg_link_newest_frame(link, client, &entered);
    if (CHECK(frame != NULL)) {
        CHECK_INT(frame->number, 2);
        CHECK(frame->size == 10 && memcmp(frame->bytes, "second one", 10) == 0);
        CHECK_INT(frame->acknowledged[3], 9);
        cg_link_publish(link, 2, "third", 5, acknowledged);
        cg_link_publish(link, 2, "fourth", 6, acknowledged);
        CHECK(memcmp(frame->bytes, "second one", 10) == 0); // what is being sent stays as it is
        CHECK_INT(cg_link_newest_frame(link, client, &entered)->number, 4);
        CHECK_INT(cg_link_newest_frame(link, client, &entered)->number, 4);
    }
    cg_link_destroy(link);
}

TEST(frames_are_those_of_the_session_that_one_entered_last)
{
    cg_link *link = cg_link_create(wake, NULL);
    uint32_t acknowledged[CG_HOST_MOST_CLIENTS] = {0};
    unsigned before, after;
    int one = cg_link_connect(link), other = cg_link_connect(link);
    cg_link_enter(link, one, 1);
    cg_link_enter(link, other, 5);
    cg_link_publish(link, 1, "of the first", 12, acknowledged);
    CHECK(cg_link_newest_frame(link, other, &after) == NULL);
    cg_link_publish(link, 5, "of the fifth", 12, acknowledged);
    cg_link_frame *seen = cg_link_newest_frame(link, one, &before);
    CHECK(seen != NULL && memcmp(seen->bytes, "of the first", 12) == 0);
    cg_link_enter(link, one, 5);
    CHECK(cg_link_newest_frame(link, one, &after) == NULL); // that was before it came
    CHECK(after != before);
    cg_link_publish(link, 5, "with a guest", 12, acknowledged);
    seen = cg_link_newest_frame(link, one, &after);
    CHECK(seen != NULL && memcmp(seen->bytes, "with a guest", 12) == 0 && seen->number == 2);
    cg_link_destroy(link);
}

TEST(a_nudge_ends_the_wait)
{
    cg_link *link = cg_link_create(wake, NULL);
    cg_link_nudge(link);
    heard[0] = '\0';
    cg_link_receive(link, 1e3, take, link); // would wait for a second otherwise, and for ever if the link did
    CHECK_STR(heard, "");
    cg_link_destroy(link);
}
