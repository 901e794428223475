import type { Candidates, Shape } from "./shape.ts";

/** For bash: `source <(touchstone completions bash)`. */
export function bash({ name, commands }: Shape): string {
  const values = commands.flatMap((command) =>
    command.flags.flatMap((flag) =>
      flag.value === undefined ? [] : [`    "${command.name} ${flag.name}") ${reply(flag.value.candidates)} return ;;`],
    ),
  );
  const flags = commands.map((command) => `      ${command.name}) ${reply(command.flags.map((flag) => flag.name))} ;;`);
  const places = commands
    .filter((command) => command.places.length > 0)
    .map(
      (command) =>
        `    ${command.name}) ${[...new Set(command.places.map((place) => reply(place.candidates)))].join(" ")} ;;`,
    );
  return `# bash completion of ${name}
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${reply([...commands.map((command) => command.name), "--help", "--version"])}
    return
  fi
  case "$command $prev" in
${values.join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    case "$command" in
${flags.join("\n")}
    esac
    return
  fi
  case "$command" in
${places.join("\n")}
  esac
}
complete -o filenames -F _${name} ${name}
`;
}

function reply(candidates: Candidates): string {
  if (candidates === "anything") return ":;";
  const ask = candidates === "files" ? "-f" : `-W "${candidates.join(" ")}"`;
  return `COMPREPLY+=($(compgen ${ask} -- "$cur"));`;
}
