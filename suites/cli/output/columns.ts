/** Columns of the terminal that standard output is; undefined if it is not a terminal, and any width is fine. */
export function columns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** A command with an explanation, and its purpose. */
const explained = /^( {2}(?:\S| (?! ))+) {2,}(\S.*)$/;
/** A command that is longer than this has its explanation right behind it, and moves none of the others. */
const maxAlignedColumns = 80;

/** A help text with the explanations of its examples in one column, even with long names in them. */
export function alignColumns(help: string): string {
  return help.replace(/^(?:Examples?|First steps):\n(?: .*\n?)+/m, (examples) => {
    const lines = examples.split("\n").map((line) => explained.exec(line) ?? [line]);
    const widths = lines.flatMap(([, command]) => command?.length ?? []).filter((width) => width <= maxAlignedColumns);
    const column = Math.max(0, ...widths) + 2;
    return lines
      .map(([line, command, what]) => {
        if (command === undefined) return line;
        return `${command.length > maxAlignedColumns ? `${command}    ` : command.padEnd(column)}${what}`;
      })
      .join("\n");
  });
}
