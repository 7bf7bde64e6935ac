/*
 * v_compare: comparisons in SQL, computed when they are asked for.
 *
 *     SELECT * FROM v_compare WHERE a = 52 AND b = 53
 *
 * One row a metric, equal ones too, with the columns of compare_row.h.  It
 * is a view over a function, compare_json(a, b), that the program registers:
 * other programs that open the store do not see it.  Without a and b all
 * pairs of runs are compared.
 */
#ifndef MEMCGLAB_DB_COMPARE_VIEW_H
#define MEMCGLAB_DB_COMPARE_VIEW_H

#include <sqlite3.h>

#include "db.h"

/**
 * compare_view_add - let statements on @sql, a connection to @db's file, name v_compare
 * Both are borrowed for as long as @sql is open; nothing is written into the file.
 */
enum err compare_view_add(sqlite3 *sql, const struct db *db, struct diag *diag);

#endif
