/*
 * r: the results of a run as scenarios read them.  Read-only, and complete
 * when it is made, so reading cannot change anything.
 */
#ifndef MEMCGLAB_SCRIPTS_FIGURES_H
#define MEMCGLAB_SCRIPTS_FIGURES_H

#include "loaded.h"

/**
 * figures_push - push the results of @subject, with its computed metrics
 * @L: the state that reads them; may be another script's
 */
void figures_push(lua_State *L, const struct script *subject);

/* figures_add_metric - make @metric readable in the results at @index. */
void figures_add_metric(lua_State *L, int index, const struct metric *metric);

#endif
