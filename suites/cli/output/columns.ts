/** The columns of the terminal on standard output; undefined if it is not a terminal, and any width is fine. */
export function columns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** A command, and the explanation of its purpose. */
const explained = /^( {2}(?:\S| (?! ))+) {2,}(\S.*)$/;
/** A longer command has its explanation right after it, and does not move the others. */
const maxAlignedColumns = 80;

/** Aligns the explanations of the examples in a help text, even with long names in them. */
export function alignColumns(help: string): string {
  return help.replace(/^(?:Examples?|First steps):\n(?: .*\n?)+/m, (examples) => {
    const lines = examples.split("\n").map((line) => explained.exec(line) ?? [line]);
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
