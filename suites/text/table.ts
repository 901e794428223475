import { visible } from "./escape.ts";

export type Row = Record<string, string | number | boolean>;

/** Rows of the same members as aligned columns under their names, numbers to the right. */
export function rowsAsText(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => names.map((name) => visible(String(row[name] ?? ""))));
  const widths = names.map((name, column) =>
    cells.reduce((width, row) => Math.max(width, (row[column] as string).length), name.length),
  );
  const isNumber = names.map((name) => typeof rows[0]?.[name] === "number");
  return [names, ...cells]
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber[column] ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
