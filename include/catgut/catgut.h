// catgut: a real-time simulator of surgical suturing. Include this one header.
#ifndef CATGUT_CATGUT_H
#define CATGUT_CATGUT_H

#include "catgut/adhesion.h"
#include "catgut/catalogue.h"
#include "catgut/feel.h"
#include "catgut/fill.h"
#include "catgut/hand.h"
#include "catgut/knot.h"
#include "catgut/math.h"
#include "catgut/needle.h"
#include "catgut/operation.h"
#include "catgut/protocol.h"
#include "catgut/pull.h"
#include "catgut/recording.h"
#include "catgut/rigid.h"
#include "catgut/scene.h"
#include "catgut/script.h"
#include "catgut/session.h"
#include "catgut/shape.h"
#include "catgut/status.h"
#include "catgut/structure.h"
#include "catgut/surface.h"
#include "catgut/suture.h"
#include "catgut/task.h"
#include "catgut/thread.h"
#include "catgut/tissue.h"
#include "catgut/version.h"
#include "catgut/view.h"
#include "catgut/volume.h"
#include "catgut/world.h"

#endif
