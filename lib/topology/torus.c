/* The two-dimensional torus: every processor has a link to four neighbours.
 *
 * Source: Saad and Schultz 1986, section 2 (D): a grid whose rows and columns are closed to rings.
 * As on the ring, each link carries messages in one direction in a round. A processor may use all
 * its four links at the same time. Processor r * columns + c is in row r and column c. */
#include "lib/schedule/arithmetic.h"
#include "lib/topology/rules.h"

static int rows_of(const kp_topology *topology, int n)
{
    return topology->rows > 0 ? topology->rows : kp_near_square(n);
}

static const char *serves(const kp_topology *topology, int n)
{
    return n % rows_of(topology, n) == 0 ? NULL : "n a multiple of its rows";
}

static int links(const kp_topology *topology, int n, int a, int b)
{
    int rows = rows_of(topology, n), columns = n / rows;
    if (a / columns == b / columns)
        return kp_links_on_circle(columns, a % columns, b % columns);
    if (a % columns == b % columns)
        return kp_links_on_circle(rows, a / columns, b / columns);
    return 0;
}

const kp_topology kp_topology_torus = {
    .name = "torus",
    .summary = "rows and columns of processors, each row and each column a ring",
    .port_rule = "a processor has four ports, one for each link; links are half duplex",
    .serves = serves,
    .links = links,
    .check_round = kp_links_one_direction,
};
