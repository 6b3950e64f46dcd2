// The parts of what the page is told (service.h).
#ifndef CATGUT_TRAINING_TELL_H
#define CATGUT_TRAINING_TELL_H

#include "support/json.h"
#include "training/service.h"

// Members of the object that is open.
void cg_tell_marks(cg_json *json, const cg_task_marks *marks);
// An attempt that is over, measured anew from its recording by the present rules.
bool cg_tell_result(cg_training_service *service, uint64_t number, cg_json *json, char *why);
// How the expert's tools went in the newest attempt that passed, and the steps on the way.
bool cg_tell_way(const cg_training_service *service, const char *task, cg_json *json, char *why);

#endif
