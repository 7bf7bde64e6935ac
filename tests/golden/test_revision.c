/*
 * The revision of the model says whether two programs agree about a run, so
 * it must go up with each change that makes any run end in another state.
 * revision.txt holds it with the state that each scenario here ends in, on
 * each kernel; a state that changes under the same revision fails,
 * and `scons golden` refuses to write it down.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "revision.h"
#include "scripted.h"

#define FOLDER "tests/golden"
#define KEPT FOLDER "/revision.txt"

enum { FILES_MAX = 64, SOURCE_MAX = 1 << 16, TEXT_MAX = 1 << 14 };

static void read_text(const char *path, char *out, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t n = file ? fread(out, 1, size - 1, file) : 0;

	out[n] = '\0';
	if (file)
		fclose(file);
}

/* How the file ends on @era; a kernel that cannot have what it asks for has no line. */
static void add_end(const char *name, const struct era *era, char text[TEXT_MAX])
{
	char source[SOURCE_MAX], path[128], hash[RUN_HASH_MAX];
	struct script_file file = { .text = source, .name = path };
	size_t used = strlen(text);
	struct scripted s;
	bool done;

	snprintf(path, sizeof(path), FOLDER "/%s.lua", name);
	read_text(path, source, sizeof(source));
	file.size = strlen(source);
	scripted_init(&s);
	if (script_load(&file, &s.limits, NULL, &s.script, &s.diag) != ERR_OK)
		fail_msg("%s", s.diag.text);
	if (script_open(s.script, era, &s.run, &s.diag) == ERR_OK &&
	    script_run(s.script, UINT64_MAX, &done, &s.diag) == ERR_OK) {
		run_hash(s.run, hash);
		used += (size_t)snprintf(text + used, TEXT_MAX - used, "%s %s.lua %s\n", hash, name,
					 era->name);
		assert_true(used < TEXT_MAX);
	}
	scripted_close(&s);
}

/* A scenario that is kept ends in another state now; new ones may come. */
static bool any_changed(char *kept, const char *text)
{
	char *save, *line = strtok_r(kept, "\n", &save);

	while ((line = strtok_r(NULL, "\n", &save)) != NULL) {
		char *what = strchr(line, ' ');

		if (what && strstr(text, what) && !strstr(text, line))
			return true;
	}
	return false;
}

static void a_state_that_changes_makes_a_new_revision(void **state)
{
	static char text[TEXT_MAX], kept[TEXT_MAX];
	char name[FILES_MAX][GOLDEN_NAME_MAX];
	size_t nr = golden_scenarios(FOLDER, name, FILES_MAX);
	int revision = 0;
	struct era era;

	(void)state;
	assert_true(nr > 0);
	snprintf(text, sizeof(text), "revision %d\n", MODEL_REVISION);
	for (size_t f = 0; f < nr; f++)
		for (size_t i = 0; era_at(i, &era); i++)
			if (era.runnable)
				add_end(name[f], &era, text);
	read_text(KEPT, kept, sizeof(kept));
	sscanf(kept, "revision %d", &revision);
	if (revision == MODEL_REVISION && any_changed(kept, text))
		fail_msg("runs end in other states: raise MODEL_REVISION "
			 "(engine/api/revision.h), then scons golden\n%s",
			 text);
	golden_check(KEPT, text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_that_changes_makes_a_new_revision),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
