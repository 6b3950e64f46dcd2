// catgut: a real-time simulator of surgical suturing. Include this one header.
#ifndef CATGUT_CATGUT_H
#define CATGUT_CATGUT_H

#include "catgut/math.h"
#include "catgut/status.h"
#include "catgut/thread.h"
#include "catgut/world.h"

#endif
