/** Columns of the terminal that standard output is; undefined where it is not a terminal, and nothing has to fit. */
export function columns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}
