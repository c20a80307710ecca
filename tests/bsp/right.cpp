// Messages with tags in C++: numbers of several types are stored.
#include <bsp.h>

int main()
{
    bsp_begin(bsp_nprocs());
    int tag_size = sizeof(long), status = 0;
    long tag = bsp_pid();
    double payload = 1;
    bsp_set_tagsize(&tag_size);
    bsp_sync();
    bsp_send(0, &tag, &payload, sizeof payload);
    bsp_sync();
    unsigned count = 0;
    size_t bytes = 0;
    bsp_qsize(&count, nullptr);
    bsp_qsize(&count, &bytes);
    bool right = true;
    for (unsigned i = 0; i < count; i++) {
        bsp_get_tag(&status, &tag);
        bsp_move(&payload, sizeof payload);
        right = right && tag == static_cast<long>(i) && status == sizeof payload;
    }
    if (bsp_pid() == 0 && right)
        std::printf("%u messages of %zu bytes\n", count, bytes);
    bsp_end();
}
