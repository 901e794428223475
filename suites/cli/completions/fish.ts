import type { Candidates, Shape } from "./shape.ts";

/** For fish: `touchstone completions fish > ~/.config/fish/completions/touchstone.fish`. */
export function fish({ name, commands }: Shape): string {
  const lines = commands.flatMap((command) => {
    const within = `complete -c ${name} -n '__fish_seen_subcommand_from ${command.name}'`;
    return [
      `complete -c ${name} -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.says)}`,
      ...command.flags.map(
        (flag) =>
          `${within} -l ${flag.name.slice(2)}${flag.value === undefined ? "" : ask(flag.value.candidates)} -d ${quoted(flag.says)}`,
      ),
      ...command.places.flatMap(({ candidates }) =>
        candidates === "files"
          ? [`${within} -F`]
          : candidates === "anything"
            ? []
            : [`${within} -f -a ${quoted(candidates.join(" "))}`],
      ),
    ];
  });
  return `# fish completion of ${name}\n${lines.join("\n")}\n`;
}

function ask(candidates: Candidates): string {
  if (candidates === "anything") return " -x";
  return candidates === "files" ? " -r -F" : ` -x -a ${quoted(candidates.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
