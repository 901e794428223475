import type { Candidates, Shape } from "./shape.ts";

/** For zsh: put it as `_touchstone` into a folder of `$fpath`, or `source <(touchstone completions zsh)` after compinit. */
export function zsh({ name, commands }: Shape): string {
  const described = commands.map((command) => `    '${command.name}:${quoted(command.says)}'`);
  const cases = commands.map((command) => {
    const flags = command.flags.map(
      (flag) => `'*${flag.name}[${bracketed(flag.says)}]${flag.value === undefined ? "" : ask(flag.value)}'`,
    );
    const places = command.places.map((place, index) => `'${index + 1}${ask(place)}'`);
    const rest = command.places.at(-1)?.candidates === "files" ? ["'*:file:_files'"] : [];
    return `        ${command.name})\n          _arguments ${[...flags, ...places, ...rest].join(" \\\n            ")} ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  local context state line
  _arguments -C '1: :->command' '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
${cases.join("\n")}
      esac ;;
  esac
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function ask({ name, candidates }: { name: string; candidates: Candidates }): string {
  const action = candidates === "anything" ? "" : candidates === "files" ? "_files" : `(${candidates.join(" ")})`;
  return `:${bracketed(name)}:${action}`;
}

/** Within single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(":", "\\:");
}

function bracketed(text: string): string {
  return quoted(text).replaceAll("[", "\\[").replaceAll("]", "\\]");
}
