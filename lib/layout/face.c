#include "lib/layout/face.h"

#include "lib/layout/layout.h"
#include "lib/layout/overlap.h"
#include "lib/layout/stream.h"

int kp_face_layout_bounded(const kp_layout *of, ptrdiff_t lower, ptrdiff_t extent, const char *text,
                           kp_layout **made)
{
    return kp_layout_bounded(of, lower, extent, text, made);
}

void kp_face_layout_hold(const kp_layout *layout)
{
    (void)kp_layout_hold(layout);
}

bool kp_face_layout_is_plain(const kp_layout *layout)
{
    return kp_layout_is_plain(kp_layout_or_byte(layout));
}

uint64_t kp_face_layout_signature(const kp_layout *layout, size_t count)
{
    return kp_signature_number(kp_signature_repeated(kp_layout_or_byte(layout)->signature, count));
}

bool kp_face_layouts_share(const void *a, const kp_layout *a_layout, size_t a_count, const void *b,
                           const kp_layout *b_layout, size_t b_count)
{
    return kp_layouts_share(&(struct kp_laid_data){a, a_layout, a_count},
                            &(struct kp_laid_data){b, b_layout, b_count}) == KP_OVERLAP;
}

void kp_face_layout_copy(struct kp_face_position to, struct kp_face_position from, size_t bytes)
{
    const struct kp_position into = {(char *)to.data, to.layout, to.at};
    const struct kp_position out = {(char *)from.data, from.layout, from.at};
    kp_stream_copy(&into, &out, bytes);
}
