/*
 * The folders of recorded experiments that tests make.
 */
#include "recorded.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void recorded_new(struct recorded *rec)
{
	const char *tmp = getenv("TMPDIR");

	memset(rec, 0, sizeof(*rec));
	snprintf(rec->folder, sizeof(rec->folder), "%s/recorded-XXXXXX",
		 tmp != NULL && strlen(tmp) < 100 ? tmp : "/tmp");
	assert_non_null(mkdtemp(rec->folder));
}

void recorded_close(struct recorded *rec)
{
	DIR *dir = opendir(rec->folder);
	char path[512];

	assert_non_null(dir);
	for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
		snprintf(path, sizeof(path), "%s/%s", rec->folder, entry->d_name);
		if (entry->d_name[0] != '.')
			assert_int_equal(unlink(path), 0);
	}
	closedir(dir);
	assert_int_equal(rmdir(rec->folder), 0);
	real_prediction_free(&rec->prediction);
	real_close(&rec->set);
}

void recorded_write(struct recorded *rec, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", rec->folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

void recorded_open(struct recorded *rec)
{
	if (real_open(rec->folder, &rec->set, &rec->diag) != ERR_OK)
		fail_msg("%s", rec->diag.text);
}

void recorded_text(struct recorded *rec, const char *experiments)
{
	recorded_new(rec);
	recorded_write(rec, "experiments.txt", experiments);
	recorded_open(rec);
}

const struct real_experiment *recorded_find(struct recorded *rec, const char *name)
{
	const struct real_experiment *exp;

	if (real_find(&rec->set, name, &exp, &rec->diag) != ERR_OK)
		fail_msg("%s", rec->diag.text);
	return exp;
}

void recorded_predict(struct recorded *rec, const char *name, const struct real_flushes *flushes)
{
	real_prediction_free(&rec->prediction);
	if (real_predict(recorded_find(rec, name), flushes, NULL, &rec->prediction, &rec->diag) !=
	    ERR_OK)
		fail_msg("%s", rec->diag.text);
}

int64_t recorded_value(const struct recorded *rec, unsigned no, const char *phase, const char *who,
		       const char *counter)
{
	const struct real_figures *figures = &rec->prediction.figures;

	for (size_t i = 0; i < figures->nr; i++) {
		const struct real_figure *f = &figures->figure[i];

		if (f->no == no && strcmp(f->phase, phase) == 0 && strcmp(f->who, who) == 0 &&
		    strcmp(f->counter, counter) == 0)
			return f->value;
	}
	fail_msg("no figure %s of %s in phase %u %s", counter, who, no, phase);
	return 0;
}

bool recorded_has(const struct recorded *rec, const char *phase, const char *who)
{
	const struct real_figures *figures = &rec->prediction.figures;

	for (size_t i = 0; i < figures->nr; i++)
		if (strcmp(figures->figure[i].phase, phase) == 0 &&
		    strcmp(figures->figure[i].who, who) == 0)
			return true;
	return false;
}
