/*
 * The default theme: one row a role.  Dark blue is never used for text, and
 * A and B differ in letters and markers before they differ in colour.
 * Colours are the numbers of the eight basic ones.
 */
#include "theme.h"

static const struct theme_role roles[NR_ATTRS] = {
	[ATTR_TEXT] = { .colour = -1, .svg = "#202020" },
	[ATTR_TITLE] = { .colour = -1, .bold = true, .svg = "#000000" },
	[ATTR_DIM] = { .colour = -1, .dim = true, .svg = "#808080" },
	[ATTR_A] = { .colour = 6, .svg = "#00708c" },
	[ATTR_B] = { .colour = 3, .svg = "#9a6200" },
	[ATTR_BAR] = { .colour = 2, .svg = "#2c7a2c" },
	[ATTR_KEY] = { .colour = -1, .bold = true, .svg = "#000000" },
	[ATTR_SELECTED] = { .colour = -1, .reverse = true, .svg = "#000000" },
	[ATTR_GOOD] = { .colour = 2, .svg = "#2c7a2c" },
	[ATTR_BAD] = { .colour = 1, .bold = true, .svg = "#b00020" },
	[ATTR_MARK] = { .colour = 5, .underline = true, .svg = "#8a2090" },
};

const struct theme_role *theme_role(enum canvas_attr attr)
{
	return &roles[attr < NR_ATTRS ? attr : ATTR_TEXT];
}
