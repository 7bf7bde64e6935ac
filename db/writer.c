/*
 * Records to rows.  Kinds and rules are stored under the numbers that this
 * store has given to their names, so that a program with other numbers reads
 * and writes the same store rightly.
 */
#include "writer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM_FIRST = 16 };

/* The kind's numbers as a JSON array: ["list","size", ...]. */
static char *numbers_json(const struct event_desc *desc)
{
	sqlite3_str *str = sqlite3_str_new(NULL);

	for (int i = 0; desc->number[i]; i++)
		sqlite3_str_appendf(str, "%s\"%w\"", i ? "," : "[", desc->number[i]);
	sqlite3_str_appendall(str, desc->number[0] ? "]" : "[]");
	return sqlite3_str_finish(str);
}

/* Kinds get their number in a store when it first meets them, in the order of the table. */
static enum err add_kind(sqlite3 *sql, enum event_kind kind, struct diag *diag)
{
	const struct event_desc *desc = event_at(kind);
	sqlite3_stmt *stmt;
	enum err err = store_prepare(sql,
				     "INSERT OR IGNORE INTO kind (name, doc, numbers)"
				     " VALUES (?, ?, ?)",
				     &stmt, diag);
	char *numbers;

	if (err)
		return err;
	numbers = numbers_json(desc);
	store_bind(stmt, "ttt", desc->name, desc->doc, numbers);
	sqlite3_free(numbers);
	return store_finish(sql, stmt, diag);
}

/* The same for rules.  What is known already stays as it is, words and number. */
static enum err add_rule(sqlite3 *sql, enum rule rule, struct diag *diag)
{
	const struct rule_desc *desc = rule_at(rule);
	sqlite3_stmt *stmt;
	enum err err = store_prepare(sql,
				     "INSERT OR IGNORE INTO rule (name, code, doc, source)"
				     " VALUES (?, ?, ?, ?)",
				     &stmt, diag);

	if (err)
		return err;
	store_bind(stmt, "tttt", desc->name, desc->code, desc->doc, desc->source);
	return store_finish(sql, stmt, diag);
}

/* The number of a name that is there: it was put in a moment ago, in this transaction. */
static enum err find_id(sqlite3_stmt *stmt, sqlite3 *sql, const char *name, int64_t *id,
			struct diag *diag)
{
	enum err err = ERR_OK;

	store_bind(stmt, "t", name);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		*id = sqlite3_column_int64(stmt, 0);
	else
		err = store_fail(sql, diag, name);
	sqlite3_reset(stmt);
	return err;
}

/* All numbers at once, so that storing an event costs no look-up. */
static enum err find_ids(struct writer *writer, struct diag *diag)
{
	sqlite3_stmt *kind = NULL, *rule = NULL;
	sqlite3 *sql = writer->sql;
	enum err err = store_prepare(sql, "SELECT id FROM kind WHERE name = ?", &kind, diag);

	if (!err)
		err = store_prepare(sql, "SELECT id FROM rule WHERE name = ?", &rule, diag);
	for (int i = 0; i < NR_EVENT_KINDS && !err; i++)
		err = find_id(kind, sql, event_at((enum event_kind)i)->name, &writer->kind_id[i],
			      diag);
	for (int i = 0; i < NR_RULES && !err; i++)
		err = find_id(rule, sql, rule_at((enum rule)i)->name, &writer->rule_id[i], diag);
	sqlite3_finalize(kind);
	sqlite3_finalize(rule);
	return err;
}

/* Names that this store does not know yet, usually only those of a new store. */
static enum err learn_names(struct writer *writer, struct diag *diag)
{
	enum err err = store_begin(writer->sql, diag);

	if (err)
		return err;
	for (int i = 0; i < NR_EVENT_KINDS && !err; i++)
		err = add_kind(writer->sql, (enum event_kind)i, diag);
	for (int i = 0; i < NR_RULES && !err; i++)
		err = add_rule(writer->sql, (enum rule)i, diag);
	if (!err)
		err = find_ids(writer, diag);
	return store_end(writer->sql, err, diag);
}

/* A finder of repeats for each kind: streams of different kinds are woven together differently
 * each time, but each alone is often even. */
enum err writer_open(struct writer *writer, const char *path, int64_t run, struct diag *diag)
{
	enum err err;

	memset(writer, 0, sizeof(*writer));
	writer->run = run;
	writer->repeat = calloc(NR_EVENT_KINDS, sizeof(*writer->repeat));
	if (!writer->repeat)
		return diag_fail(diag, ERR_NOMEM, "no memory for a recorder");
	for (int i = 0; i < NR_EVENT_KINDS; i++)
		repeat_init(&writer->repeat[i], TABLE_NTH_MAX);
	err = store_connect(path, &writer->sql, diag);
	if (!err)
		err = learn_names(writer, diag);
	if (!err)
		err = insert_init(&writer->event, writer->sql, "event", diag);
	if (!err)
		err = insert_init(&writer->repeats, writer->sql, "repeat", diag);
	if (!err)
		err = insert_init(&writer->sample, writer->sql, "sample", diag);
	return err;
}

/* They are owned from writer_add() on, stored or not. */
static void drop_texts(struct writer *writer)
{
	for (size_t i = 0; i < writer->nr_text; i++)
		free(writer->text[i].text);
	writer->nr_text = 0;
}

/* Fine after a writer_open() that failed half-way: all members are zero or whole. */
void writer_close(struct writer *writer)
{
	insert_fini(&writer->event);
	insert_fini(&writer->repeats);
	insert_fini(&writer->sample);
	sqlite3_close(writer->sql);
	drop_texts(writer);
	free(writer->text);
	free(writer->repeat);
	memset(writer, 0, sizeof(*writer));
}

/* Columns of table repeat, in its order. */
static void add_repeat_row(struct writer *writer, const struct repeat_row *row)
{
	int64_t *cell = insert_row(&writer->repeats);

	if (!cell) {
		writer->no_memory = true;
		return;
	}
	*cell++ = table_key(writer->run, row->first.seq);
	*cell++ = row->n;
	*cell++ = row->delta.seq;
	*cell++ = row->delta.t_ns;
	*cell++ = row->delta.step;
	*cell++ = row->delta.d;
	*cell++ = row->delta.h;
}

/* Columns of table event, in its order. */
static void add_event_row(void *ctx, const struct repeat_row *row)
{
	struct writer *writer = ctx;
	const struct event *event = &row->first;
	int64_t *cell = insert_row(&writer->event);

	if (!cell) {
		writer->no_memory = true;
		return;
	}
	*cell++ = table_key(writer->run, event->seq);
	*cell++ = (int64_t)event->t_ns;
	*cell++ = (int64_t)event->step;
	*cell++ = writer->kind_id[event->kind];
	*cell++ = event->cpu;
	*cell++ = event->memcg;
	*cell++ = writer->rule_id[event->rule];
	for (int i = 0; i < EVENT_NUMBERS; i++)
		*cell++ = event->n[i];
	if (row->n > 1)
		add_repeat_row(writer, row);
}

/* Columns of table sample, in its order. */
static void add_sample_row(struct writer *writer, const struct sample *sample)
{
	int64_t *cell = insert_row(&writer->sample);

	if (!cell) {
		writer->no_memory = true;
		return;
	}
	*cell++ = table_key(writer->run, ++writer->nr_samples);
	*cell++ = (int64_t)sample->t_ns;
	*cell++ = (int64_t)sample->step;
	*cell++ = sample->memcg;
	*cell++ = (int64_t)sample->usage;
	*cell++ = (int64_t)sample->limit;
	*cell++ = (int64_t)sample->failcnt;
	for (int i = 0; i < NR_LRU; i++)
		*cell++ = (int64_t)sample->size[i];
	*cell++ = (int64_t)sample->nr_scanned;
	*cell++ = (int64_t)sample->nr_reclaimed;
}

/* Texts are few (a path for each group, marks): they go by single statements, not by insert. */
static void add_text(struct writer *writer, struct writer_text text)
{
	if (writer->nr_text == writer->room_text) {
		size_t room = writer->room_text ? writer->room_text * 2 : TEXT_ROOM_FIRST;
		struct writer_text *all = realloc(writer->text, room * sizeof(*all));

		if (!all) {
			writer->no_memory = true;
			free(text.text);
			return;
		}
		writer->text = all;
		writer->room_text = room;
	}
	writer->text[writer->nr_text++] = text;
}

/* Never part of a repeat: its words are found by its own key. */
static void add_mark(struct writer *writer, const struct event *event)
{
	const struct repeat_row row = { .first = *event, .n = 1 };

	add_event_row(writer, &row);
	add_text(writer, (struct writer_text){ WRITER_MARK, table_key(writer->run, event->seq),
					       (char *)event->text });
}

void writer_add(struct writer *writer, const struct ring_record *record)
{
	const struct repeat_out out = { writer, add_event_row };
	const struct event *event = &record->u.event;

	writer->nr_gathered++;
	switch (record->kind) {
	case RING_EVENT:
		if (event->text)
			add_mark(writer, event);
		else
			repeat_feed(&writer->repeat[event->kind], event, &out);
		break;
	case RING_SAMPLE:
		add_sample_row(writer, &record->u.sample);
		break;
	case RING_MEMCG:
		add_text(writer, (struct writer_text){ WRITER_PATH, record->u.memcg.id,
						       record->u.memcg.path });
		break;
	}
}

/* In the transaction of the rows that refer to them: a reader finds the path of each group. */
static enum err store_texts(struct writer *writer, struct diag *diag)
{
	enum err err = ERR_OK;

	for (size_t i = 0; i < writer->nr_text && !err; i++) {
		const struct writer_text *text = &writer->text[i];
		sqlite3_stmt *stmt;

		err = store_prepare(writer->sql,
				    text->what == WRITER_MARK
					    ? "INSERT INTO mark VALUES (?2, ?3)"
					    : "INSERT INTO memcg VALUES (?1, ?2, ?3)",
				    &stmt, diag);
		if (err)
			break;
		store_bind(stmt, "iit", writer->run, text->id, text->text);
		err = store_finish(writer->sql, stmt, diag);
	}
	return err;
}

/* Repeats that go on are cut here: whatever was gathered is in the store afterwards, so a run
 * that is killed loses what came since and nothing else. */
enum err writer_commit(struct writer *writer, struct diag *diag)
{
	const struct repeat_out out = { writer, add_event_row };
	enum err err;

	for (int i = 0; i < NR_EVENT_KINDS; i++)
		repeat_flush(&writer->repeat[i], &out);
	if (writer->no_memory)
		return diag_fail(diag, ERR_NOMEM, "no memory for rows to be stored");
	writer->nr_gathered = 0;
	if (!writer->event.nr && !writer->sample.nr && !writer->nr_text)
		return ERR_OK;

	err = store_begin(writer->sql, diag);
	if (err)
		return err;
	err = store_texts(writer, diag);
	if (!err)
		err = insert_write(&writer->event, diag);
	if (!err)
		err = insert_write(&writer->repeats, diag);
	if (!err)
		err = insert_write(&writer->sample, diag);
	err = store_end(writer->sql, err, diag);
	drop_texts(writer);
	return err;
}

/* The finders start anew as well: half a repeat of what was dropped must not be continued. */
void writer_forget(struct writer *writer)
{
	for (int i = 0; i < NR_EVENT_KINDS; i++)
		repeat_init(&writer->repeat[i], TABLE_NTH_MAX);
	writer->event.nr = 0;
	writer->repeats.nr = 0;
	writer->sample.nr = 0;
	writer->nr_gathered = 0;
	drop_texts(writer);
}
