/** The width of the terminal on standard output; undefined if it is not a terminal. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** A line of help: a command, at least two spaces, and its explanation. */
const explainedCommand = /^( {2}(?:\S| (?! ))+) {2,}(\S.*)$/;
/** A longer command does not move the column: its explanation follows directly. */
const maxAlignedColumns = 80;

/** Aligns the explanations of the examples in a help text. */
export function alignColumns(help: string): string {
  return help.replace(/^(?:Examples?|First steps):\n(?: .*\n?)+/m, (examples) => {
    const lines = examples.split("\n").map((line) => explainedCommand.exec(line) ?? [line]);
    const widths = lines.flatMap(([, command]) => command?.length ?? []).filter((width) => width <= maxAlignedColumns);
    const column = Math.max(0, ...widths) + 2;
    return lines
      .map(([line, command, description]) => {
        if (command === undefined) return line;
        return `${command.length > maxAlignedColumns ? `${command}    ` : command.padEnd(column)}${description}`;
      })
      .join("\n");
  });
}
