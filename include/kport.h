/* kport: the collective operations of the k-port model among the threads of one process.
 *
 * This header includes all public headers. It declares nothing itself. */
#ifndef KPORT_H
#define KPORT_H

#include "kport/collective.h"
#include "kport/diagnosis.h"
#include "kport/error.h"
#include "kport/group.h"
#include "kport/layout.h"
#include "kport/lengths.h"
#include "kport/machine.h"
#include "kport/message.h"
#include "kport/model.h"
#include "kport/operator.h"
#include "kport/persistent.h"
#include "kport/profile.h"
#include "kport/reduce.h"
#include "kport/request.h"
#include "kport/route.h"
#include "kport/schedule.h"
#include "kport/start.h"
#include "kport/topology.h"
#include "kport/trace.h"

#endif
