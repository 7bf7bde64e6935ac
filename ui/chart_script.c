/*
 * Charts as a script for gnuplot.  Words of a user stand in single quotes,
 * where gnuplot expands nothing, and are not "enhanced": an underscore in a
 * name is no subscript.  Colours are told apart with every kind of sight
 * (Okabe and Ito), and series differ in marker or pattern as well.
 */
#include "chart_draw.h"

#include <math.h>
#include <string.h>

/* Point types of gnuplot: open circle, filled triangle, open square, filled nabla ... */
static const struct look {
	const char *colour;
	int point, pattern;
} looks[CHART_SERIES_MAX] = {
	{ "#0072b2", 6, 2 },  { "#d55e00", 9, 4 }, { "#009e73", 4, 5 }, { "#cc79a7", 11, 6 },
	{ "#e69f00", 12, 7 }, { "#56b4e9", 7, 1 }, { "#888888", 2, 0 }, { "#000000", 1, 3 },
};

enum { HEIGHT = 480, NOTE_H = 18, NAMES_MAX = 80 }; /* NAMES_MAX: letters along an axis */

/* Quoted for gnuplot; what is no printable character is a blank. */
static void put_quoted(const char *text, FILE *out)
{
	putc('\'', out);
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			putc('\'', out);
		putc((unsigned char)*text < ' ' ? ' ' : *text, out);
	}
	putc('\'', out);
}

/* One block of data a series: x y low high, and of bars the name in front. */
static void put_data(const struct chart *chart, size_t s, FILE *out)
{
	fprintf(out, "$data%zu << END\n", s);
	for (size_t i = 0; i < chart->series[s].nr; i++) {
		const struct chart_point *p = &chart->series[s].point[i];

		if (chart->form == CHART_BARS)
			fprintf(out, "\"%s\" ", chart->tick[i]);
		fprintf(out, "%.15g %.15g %.15g %.15g\n", p->x, p->y, p->low, p->high);
	}
	fputs("END\n", out);
}

/* Notes below the plot, one under another. */
static size_t put_notes(const struct chart *chart, FILE *out)
{
	char line[2 * CHART_WORDS];
	size_t nr = 0, at;

	while (chart_note(chart, nr, line))
		nr++;
	for (at = 0; at < nr; at++) {
		chart_note(chart, at, line);
		fprintf(out, "set label %zu ", at + 1);
		put_quoted(line, out);
		fprintf(out, " at screen 0.01, screen %.4f left noenhanced font ',11'\n",
			((double)(nr - at) - 0.5) * NOTE_H / HEIGHT);
	}
	return nr;
}

static void put_axes(const struct chart *chart, FILE *out)
{
	char text[CHART_WORDS];

	fputs("set xlabel ", out);
	put_quoted(chart_axis_text(&chart->x, text), out);
	fputs(" noenhanced\nset ylabel ", out);
	put_quoted(chart_axis_text(&chart->y, text), out);
	fputs(" noenhanced\n", out);
}

/* "title 'A ...' noenhanced", and a comma unless it is the last. */
static void put_title(const struct chart *chart, size_t s, FILE *out)
{
	fputs(" title ", out);
	put_quoted(chart->series[s].label, out);
	fprintf(out, " noenhanced%s", s + 1 < chart->nr_series ? ", \\\n  " : "\n");
}

/* There is always a zero line, and room above it also where all is zero. */
static const char *y_range(const struct chart *chart)
{
	return chart->min >= 0 && chart->max <= 0 ? "[0:1]" : "[*<0:*]";
}

/* The band of what a mean stands for, then the line with few enough markers to be seen. */
static void plot_lines(const struct chart *chart, FILE *out)
{
	fprintf(out, "set yrange %s\nplot ", y_range(chart));
	for (size_t s = 0; s < chart->nr_series; s++) {
		size_t each = chart->series[s].nr / 24 + 1;

		fprintf(out,
			"$data%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.2 "
			"noborder linecolor rgb '%s' notitle, \\\n  "
			"$data%zu using 1:2 with linespoints linecolor rgb '%s' linewidth 1.5 "
			"pointtype %d pointinterval %zu pointsize 0.8",
			s, looks[s].colour, s, looks[s].colour, looks[s].point, each);
		put_title(chart, s, out);
	}
}

/* A line through the means and an interval at each. */
static void plot_intervals(const struct chart *chart, FILE *out)
{
	fprintf(out, "set yrange %s\nset offsets graph 0.02, graph 0.02, 0, 0\nplot ",
		y_range(chart));
	for (size_t s = 0; s < chart->nr_series; s++) {
		fprintf(out,
			"$data%zu using 1:2:3:4 with yerrorbars linecolor rgb '%s' pointtype %d "
			"notitle, \\\n  $data%zu using 1:2 with linespoints linecolor rgb '%s' "
			"pointtype %d",
			s, looks[s].colour, looks[s].point, s, looks[s].colour, looks[s].point);
		put_title(chart, s, out);
	}
}

/* Names of bars that would run into each other are written aslant. */
static bool has_long_names(const struct chart *chart)
{
	if (chart->form != CHART_BARS || chart->nr_series == 0)
		return false;
	for (size_t i = 0; i < chart->series[0].nr; i++)
		if (strlen(chart->tick[i]) * chart->series[0].nr > NAMES_MAX)
			return true;
	return false;
}

/* Bars of one name beside each other, in patterns. */
static void plot_bars(const struct chart *chart, FILE *out)
{
	fprintf(out,
		"set style data histogram\nset style histogram clustered gap 1\n"
		"set xtics %s noenhanced\nset yrange [0:*]\nplot ",
		has_long_names(chart) ? "rotate by -40" : "norotate");
	for (size_t s = 0; s < chart->nr_series; s++) {
		fprintf(out, "$data%zu using 3:xtic(1) fillstyle pattern %d linecolor rgb '%s'", s,
			looks[s].pattern, looks[s].colour);
		put_title(chart, s, out);
	}
}

/* The far edge of the last column or row of any series. */
static double edge(const struct chart *chart, bool column)
{
	double last = 0;

	for (size_t s = 0; s < chart->nr_series; s++)
		for (size_t i = 0; i < chart->series[s].nr; i++) {
			const struct chart_point *p = &chart->series[s].point[i];

			last = fmax(last, column ? p->x : p->y);
		}
	return last + 0.5;
}

/* A left, B right; each cell is a box, so that the file holds no picture in a picture. */
static void plot_heat(const struct chart *chart, FILE *out)
{
	char text[CHART_WORDS];

	fprintf(out,
		"set palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\n"
		"set cbrange [0:%.15g]\nset xrange [-0.5:%.15g]\nset yrange [%.15g:-0.5]\n"
		"set ytics 3\nset cblabel ",
		chart->max > 0 ? chart->max : 1, edge(chart, true), edge(chart, false));
	put_quoted(chart_axis_text(&chart->shade, text), out);
	fprintf(out, " noenhanced\nunset key\nset multiplot layout 1,%zu title ", chart->nr_series);
	put_quoted(chart->title, out);
	fputs(" noenhanced\n", out);
	for (size_t s = 0; s < chart->nr_series; s++) {
		fputs("set title ", out);
		put_quoted(chart->series[s].label, out);
		fprintf(out,
			" noenhanced font ',11'\nplot $data%zu using 1:2:($1-0.5):($1+0.5):"
			"($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid "
			"noborder notitle\n",
			s);
		fputs("unset label\n", out);
	}
	fputs("unset multiplot\n", out);
}

static void (*const plot_form[])(const struct chart *chart, FILE *out) = {
	[CHART_LINE] = plot_lines,
	[CHART_INTERVALS] = plot_intervals,
	[CHART_BARS] = plot_bars,
	[CHART_HEAT] = plot_heat,
};

void chart_script(const struct chart *chart, const char *terminal, FILE *out)
{
	size_t notes;

	fprintf(out,
		"# gnuplot -d FILE\nset encoding utf8\nset terminal %s size 800,%d background "
		"rgb 'white' font 'sans-serif,12'\n",
		terminal, HEIGHT);
	for (size_t s = 0; s < chart->nr_series; s++)
		put_data(chart, s, out);
	fputs("set title ", out);
	put_quoted(chart->title, out);
	fputs(" noenhanced\nset key top left outside horizontal maxcols 1 noenhanced\n"
	      "set border 3\nset tics nomirror\nset format '%.12g'\n",
	      out);
	put_axes(chart, out);
	notes = put_notes(chart, out);
	fprintf(out, "set bmargin at screen %.4f\n",
		((double)notes * NOTE_H + (has_long_names(chart) ? 110 : 60)) / HEIGHT);
	if (chart->warm > 0)
		fprintf(out,
			"set object 1 rectangle from graph 0, graph 0 to first %.15g, graph 1 "
			"behind fillcolor rgb '#888888' fillstyle solid 0.25 noborder\n",
			chart->warm);
	if (chart->empty)
		fputs("plot [0:1] [0:1] NaN notitle\n", out);
	else
		plot_form[chart->form](chart, out);
}
