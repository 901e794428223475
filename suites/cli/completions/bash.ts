import type { Candidates, CompletionShape } from "./shape.ts";

/** Writes the script for bash, which is loaded with `source <(touchstone completions bash)`. */
export function bash({ name, protocols, commands }: CompletionShape): string {
  const valueCases = commands.flatMap((command) =>
    command.flags.flatMap((flag) =>
      flag.value === undefined
        ? []
        : [`    "${command.name} ${flag.name}") ${completionOf(name, flag.value.candidates)} return ;;`],
    ),
  );
  const flagCases = commands.map(
    (command) =>
      `      "${command.name}") ${completionOf(
        name,
        command.flags.map((flag) => flag.name),
      )} ;;`,
  );
  const argumentCases = commands
    .filter((command) => command.positionals.length > 0)
    .map(
      (command) =>
        `    "${command.name}") ${[...new Set(command.positionals.map((place) => completionOf(name, place.candidates)))].join(" ")} ;;`,
    );
  const subcommands = commands.flatMap((command) => (command.name.includes(" ") ? [`"${command.name}"`] : []));
  const topCommands = commands.flatMap((command) => (command.name.includes(" ") ? [] : [command.name]));
  return `# bash completion of ${name}
${listNames(name, protocols)}
_${name}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${completionOf(name, [...topCommands, "--help", "--version"])}
    return
  fi
  if [ "$COMP_CWORD" -gt 2 ]; then
    case "$command \${COMP_WORDS[2]}" in
      ${subcommands.join("|")}) command="$command \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$command $prev" in
${valueCases.join("\n")}
  esac
  if [[ "$cur" == -* ]]; then
    case "$command" in
${flagCases.join("\n")}
    esac
    return
  fi
  case "$command" in
${argumentCases.join("\n")}
  esac
}
complete -o filenames -F _${name} ${name}
`;
}

/** The shell function that completes names by calling `list`. */
function listNames(name: string, protocols: readonly string[]): string {
  return `# Completes names from a list, for the protocol on the command line; ids of vectors, for the protocol that they begin with.
_${name}_names() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" protocol=all word list
  for word in "\${COMP_WORDS[@]}"; do
    case "$word" in ${protocols.join("|")}) protocol="$word" ;; esac
  done
  for list in "$@"; do
    if [ "$list" != vectors ]; then
      COMPREPLY+=($("\${COMP_WORDS[0]}" list "$list" --names --protocol "$protocol" --begins "$cur" 2>/dev/null))
    elif [[ "$cur" == */* ]]; then
      COMPREPLY+=($("\${COMP_WORDS[0]}" list vectors --names --protocol "\${cur%%/*}" --begins "$cur" 2>/dev/null))
    else
      compopt -o nospace 2>/dev/null
      COMPREPLY+=($(compgen -W "${protocols.map((protocol) => `${protocol}/`).join(" ")}" -- "$cur"))
    fi
  done
}`;
}

function completionOf(name: string, candidates: Candidates): string {
  if (candidates === "anything") return ":;";
  if (typeof candidates === "object" && "lists" in candidates) return `_${name}_names ${candidates.lists.join(" ")};`;
  const compgenArgs = candidates === "files" ? "-f" : `-W "${candidates.join(" ")}"`;
  return `COMPREPLY+=($(compgen ${compgenArgs} -- "$cur"));`;
}
