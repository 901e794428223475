import type { Candidates, CompletionShape } from "./shape.ts";

/** Writes the script for zsh. Store it as `_touchstone` in a folder of `$fpath`, or load it with `source <(touchstone completions zsh)` after compinit. */
export function zsh({ name, protocols, commands }: CompletionShape): string {
  const descriptions = commands
    .filter((command) => !command.name.includes(" "))
    .map((command) => `    '${command.name}:${quoteText(command.description)}'`);
  const cases = commands.map((command) => {
    const optionSpecs = command.flags.map(
      (flag) =>
        `'*${flag.name}[${bracketText(flag.description)}]${flag.value === undefined ? "" : argumentSpec(name, flag.value)}'`,
    );
    const skippedWords = command.name.includes(" ") ? 2 : 1;
    const argumentSpecs = command.positionals.map(
      (place, index) => `'${index + skippedWords}${argumentSpec(name, place)}'`,
    );
    const fileArguments = command.positionals.at(-1)?.candidates === "files" ? ["'*:file:_files'"] : [];
    return `        ${command.name.replace(" ", "\\ ")})\n          _arguments ${[...optionSpecs, ...argumentSpecs, ...fileArguments].join(" \\\n            ")} ;;`;
  });
  const subcommands = commands.flatMap((command) => (command.name.includes(" ") ? [`"${command.name}"`] : []));
  return `#compdef ${name}
_${name}_names() {
  local protocol=all word list
  for word in $words; do
    case $word in ${protocols.join("|")}) protocol=$word ;; esac
  done
  for list in "$@"; do
    if [[ $list != vectors ]]; then
      compadd -- \${(f)"$(${name} list $list --names --protocol $protocol 2>/dev/null)"}
    elif [[ $PREFIX == */* ]]; then
      compadd -- \${(f)"$(${name} list vectors --names --protocol \${PREFIX%%/*} --begins $PREFIX 2>/dev/null)"}
    else
      compadd -S '' -- ${protocols.map((protocol) => `${protocol}/`).join(" ")}
    fi
  done
}
_${name}() {
  local -a commands
  commands=(
${descriptions.join("\n")}
  )
  local context state line
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      local command=$words[1]
      case "$words[1] $words[2]" in
        ${subcommands.join("|")}) (( CURRENT > 2 )) && command="$words[1] $words[2]" ;;
      esac
      case $command in
${cases.join("\n")}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function argumentSpec(program: string, { name, candidates }: { name: string; candidates: Candidates }): string {
  const action = actionOf(program, candidates);
  return `:${bracketText(name)}:${action}`;
}

function actionOf(program: string, candidates: Candidates): string {
  if (candidates === "anything") return "";
  if (candidates === "files") return "_files";
  // The leading space keeps zsh from adding arguments to the call.
  return "lists" in candidates ? ` _${program}_names ${candidates.lists.join(" ")}` : `(${candidates.join(" ")})`;
}

/** Escapes a string for a specification in single quotes. */
function quoteText(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}

function bracketText(text: string): string {
  return quoteText(text).replaceAll("[", "\\[").replaceAll("]", "\\]");
}
