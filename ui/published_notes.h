/*
 * Remarks to the rows of a published table, as text and as JSON.
 */
#ifndef MEMCGLAB_UI_PUBLISHED_NOTES_H
#define MEMCGLAB_UI_PUBLISHED_NOTES_H

#include "published.h"
#include "result.h"

/* published_notes_welch - pairs whose spread and runs are published; nothing where there is none.
 * published_notes_welch_json - the same, each an object that is added to @list. */
void published_notes_welch(FILE *out, const struct published_table *table);
void published_notes_welch_json(const struct published_table *table, json_t *list);

/* published_notes_gaps - each row that is not modelled, once for all its sides, and why.
 * published_notes_gap_json - the reason is added to the row's @object, if there is one. */
void published_notes_gaps(FILE *out, const struct published_table *table);
void published_notes_gap_json(json_t *object, const struct published_table *table,
			      const struct published_row *row);

#endif
