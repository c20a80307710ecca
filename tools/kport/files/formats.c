#include "tools/kport/files/formats.h"

#include "tools/kport/files/write.h"
#include "tools/kport/msccl/write.h"
#include "tools/kport/predict/trace.h"

#include <stddef.h>

static const struct export_format formats[] = {
    {"text", "for people, a line a message", write_text, NULL, true},
    {"json", "for programs (the manual has schedule.schema.json)", write_json, NULL, false},
    {"dot", "a drawing, by Graphviz", write_dot, NULL, false},
    {"tikz", "a drawing, by LaTeX", write_tikz, NULL, false},
    {"goal", "for LogGOPSim", write_goal, NULL, false},
    {"simgrid", "for SimGrid: a time-independent trace", write_simgrid, NULL, false},
    {"msccl", "XML for MSCCL, of six operations", write_msccl, NULL, false},
};

const struct export_format *export_format_at(int i)
{
    return i >= 0 && (size_t)i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}
