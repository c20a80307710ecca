/* Asks hwloc. */
#include "tools/kport/computer/look.h"

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

static hwloc_topology_t topology;
static hwloc_bitmap_t usable;
static struct computer found;

static int count(hwloc_obj_type_t type)
{
    const int here = hwloc_get_nbobjs_by_type(topology, type);
    return here > 0 ? here : 0; /* negative: they are at several depths */
}

static void look_for_caches(void)
{
    static const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE,
                                              HWLOC_OBJ_L5CACHE};
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        hwloc_obj_t cache = hwloc_get_obj_by_type(topology, levels[i], 0);
        if (cache)
            found.caches[found.cache_count++] =
                (struct computer_cache){(int)i + 1, count(levels[i]), cache->attr->cache.size};
    }
}

static void look_for_processor(void)
{
    hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *name = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (!name)
        name = hwloc_obj_get_info_by_name(hwloc_get_root_obj(topology), "CPUModel");
    snprintf(found.processor, sizeof found.processor, "%s", name ? name : "");
    for (size_t end = strlen(found.processor); end > 0 && found.processor[end - 1] == ' '; end--)
        found.processor[end - 1] = '\0';
}

/* By its affinity this process may use fewer CPUs than the computer has. */
static void look_for_usable(void)
{
    usable = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_t own = hwloc_bitmap_alloc();
    if (!found.elsewhere && usable && own &&
        hwloc_get_cpubind(topology, own, HWLOC_CPUBIND_PROCESS) == 0)
        hwloc_bitmap_and(usable, usable, own);
    hwloc_bitmap_free(own);
}

const struct computer *computer_look(void)
{
    if (topology || found.missing)
        return &found;
    if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0) {
        topology = NULL;
        found.missing = "hwloc does not recognise this computer";
        return &found;
    }
    found.elsewhere = !hwloc_topology_is_thissystem(topology);
    found.packages = count(HWLOC_OBJ_PACKAGE);
    found.cores = count(HWLOC_OBJ_CORE);
    found.threads = count(HWLOC_OBJ_PU);
    found.nodes = count(HWLOC_OBJ_NUMANODE);
    look_for_processor();
    look_for_caches();
    look_for_usable();
    return &found;
}

/* --- Lists of CPUs --- */

static void write_set(hwloc_const_bitmap_t set, FILE *out)
{
    char *text = NULL;
    if (hwloc_bitmap_list_asprintf(&text, set) >= 0)
        fputs(text, out);
    free(text);
}

/* Some nodes have memory alone, or share their CPUs with the node before. These are no parts. */
static bool is_new(const struct hwloc_obj *object, const struct hwloc_obj *before)
{
    return hwloc_bitmap_intersects(object->cpuset, usable) &&
           !(before && hwloc_bitmap_isequal(object->cpuset, before->cpuset));
}

int computer_list(enum computer_part part, FILE *out)
{
    static const hwloc_obj_type_t types[] = {
        [COMPUTER_CORE] = HWLOC_OBJ_CORE,
        [COMPUTER_SOCKET] = HWLOC_OBJ_PACKAGE,
        [COMPUTER_NUMA] = HWLOC_OBJ_NUMANODE,
        [COMPUTER_CPU] = HWLOC_OBJ_PU,
    };
    int lists = 0;
    if (computer_look()->missing || !usable)
        return 0;
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    hwloc_obj_t before = NULL;
    for (int i = 0; set && i < count(types[part]); i++) {
        hwloc_obj_t object = hwloc_get_obj_by_type(topology, types[part], (unsigned)i);
        if (!is_new(object, before))
            continue;
        before = object;
        hwloc_bitmap_and(set, object->cpuset, usable);
        if (out && lists > 0)
            fputc(';', out);
        if (out)
            write_set(set, out);
        lists++;
    }
    hwloc_bitmap_free(set);
    return lists;
}

void computer_usable(FILE *out)
{
    if (!computer_look()->missing && usable)
        write_set(usable, out);
}

bool computer_has(unsigned cpu)
{
    return !computer_look()->missing && usable && hwloc_bitmap_isset(usable, cpu);
}
