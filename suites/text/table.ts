import { visible } from "./escape.ts";
import { padded, truncated, width } from "./width.ts";

export type Row = Record<string, string | number | boolean>;

const gap = "  ";
/** A column is never made smaller than this, however many there are. */
const least = 8;

/** Rows of the same members as aligned columns under their names, numbers to the right; where `columns` of a terminal are given, no wider than these. */
export function rowsAsText(rows: readonly Row[], columns: number = Number.POSITIVE_INFINITY): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => visible(String(row[name] ?? ""))));
  const wanted = names.map((name, column) =>
    cells.reduce((most, row) => Math.max(most, width(row[column] as string)), width(name)),
  );
  const isNumber = names.map((name) => typeof rows[0]?.[name] === "number");
  const widths = fitted(wanted, isNumber, columns - gap.length * (names.length - 1));
  return [names, ...cells]
    .map((row) =>
      row
        .map((cell, column) => {
          const most = widths[column] as number;
          return padded(truncated(cell, most), most, isNumber[column]);
        })
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

/** What is too wide is taken from the widest columns of text; numbers stay whole. */
function fitted(wanted: readonly number[], isNumber: readonly boolean[], room: number): number[] {
  const widths = [...wanted];
  const over = (): number => widths.reduce((sum, each) => sum + each, 0) - room;
  while (over() > 0) {
    const texts = widths.flatMap((each, column) => (isNumber[column] || each <= least ? [] : [each]));
    const widest = Math.max(0, ...texts);
    if (widest === 0) return widths;
    const second = Math.max(least, ...texts.filter((each) => each < widest));
    const several = texts.filter((each) => each === widest).length;
    const less = Math.max(1, Math.min(widest - second, Math.ceil(over() / several)));
    for (const [column, each] of widths.entries())
      if (each === widest && !isNumber[column]) widths[column] = each - less;
  }
  return widths;
}
