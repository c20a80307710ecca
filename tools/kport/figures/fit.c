/* Fits the linear model T = C1 * beta + C2 * tau to the measured points of a figure. The fit
 * minimises the sum of the squared relative errors, so that short and long calls have equal weight.
 * beta and tau must not be negative. If the fit makes beta negative, beta is set to 0 and tau is
 * fitted alone. If the fit makes tau negative, tau is set to 0 and beta is fitted alone. */
#include "tools/kport/figures/figures.h"

struct sums {
    double aa, ab, bb, a, b;
};

static struct sums add_up(const struct figure *figure)
{
    struct sums s = {0};
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *p = &figure->points[i];
        if (p->us <= 0 || p->c1 == 0)
            continue;
        double a = (double)p->c1 / p->us, b = (double)p->c2 / p->us;
        s.aa += a * a;
        s.ab += a * b;
        s.bb += b * b;
        s.a += a;
        s.b += b;
    }
    return s;
}

void figure_fit(struct figure *figure)
{
    struct sums s = add_up(figure);
    double determinant = s.aa * s.bb - s.ab * s.ab;
    figure->beta_us = figure->tau_us = 0;
    if (determinant > 1e-12 * s.aa * s.bb) {
        figure->beta_us = (s.a * s.bb - s.b * s.ab) / determinant;
        figure->tau_us = (s.b * s.aa - s.a * s.ab) / determinant;
    }
    if (figure->tau_us <= 0 && s.aa > 0) {
        figure->beta_us = s.a / s.aa;
        figure->tau_us = 0;
    } else if (figure->beta_us < 0) {
        figure->beta_us = 0;
        figure->tau_us = s.b / s.bb;
    }
    for (size_t i = 0; i < figure->count; i++) {
        struct point *p = &figure->points[i];
        p->model_us = (double)p->c1 * figure->beta_us + (double)p->c2 * figure->tau_us;
    }
}
