/*
 * memcglab apropos, and help on a metric: what there is about a word, looked
 * for in the tables that everything else is made from, and in what the
 * shipped scenarios declare.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "totals.h"
#include "view.h"

/* Is @word in @text, whatever the case? */
static bool has(const char *text, const char *word)
{
	size_t n = strlen(word), same = 0;

	for (; text != NULL && *text != '\0' && same < n; text++)
		for (same = 0;
		     same < n && text[same] != '\0' &&
		     tolower((unsigned char)text[same]) == tolower((unsigned char)word[same]);)
			same++;
	return same == n;
}

/* ---- apropos ---- */

struct search {
	struct lab *lab;
	const char *word;
	struct output *out;
	struct diag *diag;
	enum err err;
	size_t found;
};

/* A row, if the word is in its name or its text. */
static void offer(struct search *search, const char *kind, const char *name, const char *text)
{
	static const int types[] = { OUTPUT_TEXT, OUTPUT_TEXT, OUTPUT_TEXT };
	const char *values[] = { kind, name, text };

	if (search->err != ERR_OK || (!has(name, search->word) && !has(text, search->word)))
		return;
	search->found++;
	search->err = output_row(search->out, 3, values, types, search->diag);
}

static void offer_tables(struct search *search)
{
	struct era era;
	char name[64];

	for (size_t i = 0; command_at(i) != NULL; i++)
		offer(search, "command", command_at(i)->name, command_at(i)->doc);
	for (int id = 0; id < NR_OPTIONS; id++) {
		snprintf(name, sizeof(name), "--%s", args_option((enum option_id)id)->name);
		offer(search, "option", name, args_option((enum option_id)id)->doc);
	}
	for (size_t i = 0; command_topic_name(i) != NULL; i++)
		if (command_find(command_topic_name(i), &(const struct verb *){ NULL }, NULL) !=
		    ERR_OK)
			offer(search, "topic", command_topic_name(i), "memcglab help has it");
	for (size_t i = 0; i < action_count(); i++)
		offer(search, "key", action_at(i)->keys, action_at(i)->doc);
	for (size_t i = 0; era_at(i, &era); i++)
		offer(search, "kernel", era.name, era.doc);
	for (size_t i = 0; i < run_totals_count(); i++)
		offer(search, "metric", run_totals_at(i)->name, "of every run");
}

/* A scenario that cannot be read has no metrics to offer. */
static enum err offer_scenario(void *ctx, const struct lab_scenario *scenario)
{
	struct search *search = ctx;
	struct script *script = NULL;
	struct script_metric metric;

	offer(search, "scenario", scenario->name, scenario->title);
	lab_script(search->lab, scenario, &script, NULL);
	for (size_t i = 0; script != NULL && i < script_metric_decl_count(script); i++) {
		char name[SCENARIO_NAME_MAX + 64];

		script_metric_decl(script, i, &metric);
		snprintf(name, sizeof(name), "%s.%s", scenario->name, metric.name);
		offer(search, "metric", name, metric.doc);
	}
	script_free(script);
	return search->err;
}

enum err command_apropos(struct command *cmd, struct diag *diag)
{
	static const char *const names[] = { "kind", "name", "what" };
	struct search search = { .lab = cmd->lab, .word = cmd->args->arg[0], .diag = diag };
	enum err err = output_new(&cmd->style, cmd->out, &search.out, diag);

	if (err == ERR_OK)
		err = output_head(search.out, 3, names, diag);
	if (err == ERR_OK) {
		offer_tables(&search);
		err = search.err;
	}
	if (err == ERR_OK)
		err = lab_scenarios(cmd->lab, offer_scenario, &search, diag);
	if (err == ERR_OK && search.found == 0)
		err = diag_fail(diag, ERR_USAGE, "nothing about \"%s\"", search.word);
	else if (err == ERR_OK)
		err = output_end(search.out, diag);
	output_free(search.out);
	return err;
}

/* ---- help on a metric ---- */

struct metric_help {
	struct lab *lab;
	const char *scenario; /* of "cat-in-100m.over_scan"; NULL: of any */
	const char *name;
	FILE *out;
	size_t found;
};

static const struct {
	const char *better, *words;
} better_table[] = { { "lower", ", lower is better" }, { "higher", ", higher is better" } };

static const char *better_words(const char *better)
{
	for (size_t i = 0; i < 2 && better != NULL; i++)
		if (strcmp(better_table[i].better, better) == 0)
			return better_table[i].words;
	return "";
}

/* What it counts and in what; every place has its own words for it. */
static void put_metric(struct metric_help *help, const char *where,
		       const struct script_metric *metric)
{
	help->found++;
	fprintf(help->out, "%s  %s%s%s\n  %s%s%s\n", help->name,
		metric->unit != NULL && metric->unit[0] != '\0' ? "in " : "a number",
		metric->unit != NULL ? metric->unit : "", better_words(metric->better), where,
		metric->doc != NULL && metric->doc[0] != '\0' ? ": " : "",
		metric->doc != NULL ? metric->doc : "");
}

static enum err put_of_scenario(void *ctx, const struct lab_scenario *scenario)
{
	struct metric_help *help = ctx;
	struct script *script = NULL;
	struct script_metric metric;

	if (help->scenario != NULL && strcmp(help->scenario, scenario->name) != 0)
		return ERR_OK;
	lab_script(help->lab, scenario, &script, NULL);
	for (size_t i = 0; script != NULL && i < script_metric_decl_count(script); i++) {
		script_metric_decl(script, i, &metric);
		if (strcmp(metric.name, help->name) == 0)
			put_metric(help, scenario->name, &metric);
	}
	script_free(script);
	return ERR_OK;
}

/* The part before the dot is a scenario's name, or just says where the metric is looked at. */
static bool split_name(struct metric_help *help, const char *topic, char scenario[128])
{
	const char *dot = strrchr(topic, '.');
	struct lab_scenario found = { .text = NULL };

	help->name = dot != NULL ? dot + 1 : topic;
	if (dot == NULL || dot - topic >= 128)
		return dot == NULL;
	snprintf(scenario, 128, "%.*s", (int)(dot - topic), topic);
	if (lab_scenario_find(help->lab, scenario, &found, NULL) == ERR_OK)
		help->scenario = scenario;
	free(found.text);
	return true;
}

bool command_metric(struct command *cmd, const char *topic)
{
	struct metric_help help = { .lab = cmd->lab, .out = cmd->out };
	char scenario[128];

	if (!split_name(&help, topic, scenario))
		return false;
	for (size_t i = 0; i < run_totals_count() && help.scenario == NULL; i++) {
		const struct run_totals_desc *desc = run_totals_at(i);
		const struct script_metric metric = { .unit = desc->unit, .better = desc->better };

		if (strcmp(desc->name, help.name) == 0)
			put_metric(&help, "of every run, counted by the engine", &metric);
	}
	lab_scenarios(cmd->lab, put_of_scenario, &help, NULL);
	return help.found > 0;
}
