import type { Candidates, CompletionShape } from "./shape.ts";

/** Writes the script for fish, to be stored as `~/.config/fish/completions/touchstone.fish`. */
export function fish({ name, protocols, commands }: CompletionShape): string {
  const lines = commands.flatMap((command) => {
    const [group = "", part] = command.name.split(" ");
    const conditions = [group, part].flatMap((subcommand) =>
      subcommand === undefined ? [] : [`__fish_seen_subcommand_from ${subcommand}`],
    );
    const prefix = `complete -c ${name} -n '${conditions.join("; and ")}'`;
    const candidates =
      part === undefined
        ? `complete -c ${name} -n __fish_use_subcommand -f -a ${group} -d ${quoteText(command.description)}`
        : `complete -c ${name} -n '__fish_seen_subcommand_from ${group}' -f -a ${part} -d ${quoteText(command.description)}`;
    return [
      candidates,
      ...command.flags.map(
        (flag) =>
          `${prefix} -l ${flag.name.slice(2)}${flag.value === undefined ? "" : valueOptions(name, flag.value.candidates)} -d ${quoteText(flag.description)}`,
      ),
      ...command.positionals.flatMap(({ candidates }) => {
        if (candidates === "anything") return [];
        const values = candidates === "files" ? "-F" : `-f -a ${quoteText(candidateWords(name, candidates))}`;
        return [`${prefix} ${values}`];
      }),
    ];
  });
  return `# fish completion of ${name}
function __${name}_names
  set -l protocol all
  for word in (commandline -opc)
    contains -- $word ${protocols.join(" ")}; and set protocol $word
  end
  set -l cur (commandline -ct)
  for list in $argv
    if test $list != vectors
      ${name} list $list --names --protocol $protocol 2>/dev/null
    else if string match -q '*/*' -- $cur
      ${name} list vectors --names --protocol (string split -m 1 / -- $cur)[1] --begins $cur 2>/dev/null
    else
      printf '%s\\n' ${protocols.map((protocol) => `${protocol}/`).join(" ")}
    end
  end
end
${lines.join("\n")}
`;
}

function valueOptions(name: string, candidates: Candidates): string {
  if (candidates === "anything") return " -x";
  return candidates === "files" ? " -r -F" : ` -x -a ${quoteText(candidateWords(name, candidates))}`;
}

function candidateWords(name: string, candidates: readonly string[] | { lists: readonly string[] }): string {
  return "lists" in candidates ? `(__${name}_names ${candidates.lists.join(" ")})` : candidates.join(" ");
}

function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
