import { visible } from "./escape.ts";
import { padColumns, truncateText, width } from "./width.ts";

export type TableRow = Record<string, string | number | boolean>;

const gap = "  ";
/** A column is never made smaller than this, however many there are. */
const least = 8;

/** Rows of the same members as aligned columns under their names, numbers to the right; where `columns` of a terminal are given, no wider than these. */
export function rowsAsText(rows: readonly TableRow[], columns: number = Number.POSITIVE_INFINITY): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => visible(String(row[name] ?? ""))));
  const wanted = names.map((name, column) =>
    cells.reduce((most, row) => Math.max(most, width(row[column] as string)), width(name)),
  );
  const isNumber = names.map((name) => typeof rows[0]?.[name] === "number");
  // Prose may be cut; a name is needed whole to be of use, and is cut only where prose is not enough.
  const isProse = names.map((_, column) => cells.some((row) => (row[column] as string).includes(" ")));
  const widths = fitColumns(wanted, { isNumber, isProse }, columns - gap.length * (names.length - 1));
  return [names, ...cells]
    .map((row) =>
      row
        .map((cell, column) => {
          const most = widths[column] as number;
          return padColumns(truncateText(cell, most), most, isNumber[column]);
        })
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

interface ColumnKinds {
  isNumber: readonly boolean[];
  isProse: readonly boolean[];
}

/** Excess width is cut from the widest columns of prose, then from those of names; numbers stay whole. */
function fitColumns(wanted: readonly number[], { isNumber, isProse }: ColumnKinds, room: number): number[] {
  const after = less(wanted, isProse, room);
  return less(
    after,
    isNumber.map((is) => !is),
    room,
  );
}

function less(wanted: readonly number[], mayBeCut: readonly boolean[], room: number): number[] {
  const widths = [...wanted];
  for (;;) {
    const over = widths.reduce((sum, each) => sum + each, 0) - room;
    const texts = widths.filter((each, column) => mayBeCut[column] && each > least);
    if (over <= 0 || texts.length === 0) return widths;
    const widest = Math.max(...texts);
    const second = Math.max(least, ...texts.filter((each) => each < widest));
    const several = texts.filter((each) => each === widest).length;
    const cut = Math.min(widest - second, Math.ceil(over / several));
    for (const [column, each] of widths.entries()) if (mayBeCut[column] && each === widest) widths[column] = each - cut;
  }
}
