#include "tools/kport/msccl/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *finding_kind_name(enum finding_kind kind)
{
    static const char *const names[FINDING_KINDS] = {
        [FINDING_CONNECTION] = "connection",
        [FINDING_MESSAGE] = "message",
        [FINDING_BOUNDS] = "bounds",
        [FINDING_DEADLOCK] = "deadlock",
        [FINDING_RACE] = "race",
        [FINDING_RESULT] = "result",
        [FINDING_ORDER] = "order",
        [FINDING_BENIGN] = "benign race",
        [FINDING_NOTE] = "note",
    };
    return names[kind];
}

void findings_count(struct findings *f, enum finding_kind kind)
{
    f->counts[kind]++;
}

void findings_add(struct findings *f, enum finding_kind kind, const char *format, ...)
{
    char text[1024];
    findings_count(f, kind);
    if (f->counts[kind] > FINDINGS_KEPT)
        return;
    int used = snprintf(text, sizeof text, "%s", f->prefix ? f->prefix : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    char *sentence = strdup(text);
    struct finding *finding = sentence ? kp_vector_add(&f->list, sizeof *finding) : NULL;
    if (!finding) {
        f->no_memory = true;
        free(sentence);
        return;
    }
    *finding = (struct finding){kind, sentence};
}

void findings_end(struct findings *f)
{
    struct finding *list = f->list.items;
    for (size_t i = 0; i < f->list.count; i++)
        free(list[i].sentence);
    kp_vector_free(&f->list);
}

bool findings_wrong(const struct findings *f, bool order)
{
    for (int kind = FINDING_CONNECTION; kind <= FINDING_RESULT; kind++) {
        if (f->counts[kind] > 0)
            return true;
    }
    return order && f->counts[FINDING_ORDER] > 0;
}
