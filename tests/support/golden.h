/*
 * Texts against files that hold what they were when last reviewed.  With
 * MEMCGLAB_GOLDEN=write in the environment the files are written instead,
 * which `scons golden` does; the difference is then read line by line.
 */
#ifndef MEMCGLAB_TESTS_SUPPORT_GOLDEN_H
#define MEMCGLAB_TESTS_SUPPORT_GOLDEN_H

#include <stddef.h>

/* golden_check - fails the test, naming the first line that differs, unless @got is in @path. */
void golden_check(const char *path, const char *got);

enum { GOLDEN_NAME_MAX = 64 };

/* golden_scenarios - the names, without .lua, of the scenarios in @folder, at most @most, in
 * order.  Returns: how many there are. */
size_t golden_scenarios(const char *folder, char name[][GOLDEN_NAME_MAX], size_t most);

/* golden_picture - the same for a view's text, which is freed: of @h lines, none wider than @w
 * cells, and as tests/tui/golden/@name.txt has it. */
void golden_picture(const char *name, char *got, int w, int h);

#endif
