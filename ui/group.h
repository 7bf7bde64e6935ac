/*
 * Which group the views of one group show: the same path on both sides.
 * Without a choice it is the group whose own pages reclaim looked at most on
 * both, so that neither side is an empty parent.
 */
#ifndef MEMCGLAB_UI_GROUP_H
#define MEMCGLAB_UI_GROUP_H

#include "model.h"

/* group_id - css id of the shown group on a side at this step; 0: it has none of that path. */
uint32_t group_id(const struct model *model, int side);

/* group_name - its path as people read it, "root" for the root; "" with nothing open. */
const char *group_name(const struct model *model);

/* group_settle - without a choice so far, the group of this moment stays the shown one. */
void group_settle(struct model *model);

/**
 * group_choose - show the group called @path, "root" or "/" the root
 * Returns: ERR_NAME with the nearest path if no side has it now.
 */
enum err group_choose(struct model *model, const char *path, struct diag *diag);

/* group_step - the next group as made, @by -1 the one before; round at either end. */
void group_step(struct model *model, int by);

#endif
