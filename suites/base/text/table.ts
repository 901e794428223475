import { escapeInvisible } from "./escape.ts";
import { measureWidth, padColumns, truncateText } from "./width.ts";

export type TableRow = Record<string, string | number | boolean>;

const gap = "  ";
/** The minimum width of a column, regardless of the number of columns. */
const minWidth = 8;

/** Formats rows with the same members as aligned columns under their names; numbers are aligned right. Cuts text to fit into `columns`. */
export function formatRows(rows: readonly TableRow[], columns: number = Number.POSITIVE_INFINITY): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => escapeInvisible(String(row[name] ?? ""))));
  const neededWidths = names.map((name, column) =>
    cells.reduce((widest, row) => Math.max(widest, measureWidth(row[column] as string)), measureWidth(name)),
  );
  const isNumber = names.map((name) => typeof rows[0]?.[name] === "number");
  // A name is useful only if it is complete, so it is cut only if cutting prose is not enough.
  const isProse = names.map((_, column) => cells.some((row) => (row[column] as string).includes(" ")));
  const widths = fitColumns(neededWidths, { isNumber, isProse }, columns - gap.length * (names.length - 1));
  return [names, ...cells]
    .map((row) =>
      row
        .map((cell, column) => {
          const maxWidth = widths[column] as number;
          return padColumns(truncateText(cell, maxWidth), maxWidth, isNumber[column]);
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

/** Removes excess width from the widest columns of prose, then from those of names; numbers stay whole. */
function fitColumns(neededWidths: readonly number[], { isNumber, isProse }: ColumnKinds, room: number): number[] {
  const cutProse = narrowColumns(neededWidths, isProse, room);
  return narrowColumns(
    cutProse,
    isNumber.map((isNumeric) => !isNumeric),
    room,
  );
}

function narrowColumns(neededWidths: readonly number[], mayBeCut: readonly boolean[], room: number): number[] {
  const widths = [...neededWidths];
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, 0) - room;
    const cuttableWidths = widths.filter((width, column) => mayBeCut[column] && width > minWidth);
    if (excess <= 0 || cuttableWidths.length === 0) return widths;
    const widest = Math.max(...cuttableWidths);
    const secondWidest = Math.max(minWidth, ...cuttableWidths.filter((width) => width < widest));
    const widestCount = cuttableWidths.filter((width) => width === widest).length;
    const cut = Math.min(widest - secondWidest, Math.ceil(excess / widestCount));
    for (const [column, width] of widths.entries())
      if (mayBeCut[column] && width === widest) widths[column] = width - cut;
  }
}
