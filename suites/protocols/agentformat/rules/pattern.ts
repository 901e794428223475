/** The flavour of a regular expression: ECMA-262, only another common flavour, or none. */
export type Flavour = "ecma" | "other" | "none";

/** Syntax that ECMA-262 lacks, each with a replacement that it accepts. The meaning may change, since the result is only compiled. */
const foreignSyntax: readonly [RegExp, string][] = [
  [/\\Q.*?(?:\\E|$)/gs, ""],
  [/\(\?#[^)]*\)/g, ""],
  [/\(\?P<(?=[A-Za-z_])/g, "(?<"],
  [/\(\?'([A-Za-z_]\w*)'/g, "(?<$1>"],
  [/\(\?P=([A-Za-z_]\w*)\)/g, "\\k<$1>"],
  [/\\k(?:'([A-Za-z_]\w*)'|\{([A-Za-z_]\w*)\})/g, "\\k<$1$2>"],
  [/\(\?(?:R|[+-]?\d+|&\w+|P>\w+)\)/g, "(?:)"],
  [/\(\?(?:[a-zA-Z]+(?:-[a-zA-Z]*)?|-[a-zA-Z]+)\)/g, ""],
  [/\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?:/g, "(?:"],
  [/\(\?[>|]/g, "(?:"],
  [/\(\?\((?:\d+|[A-Za-z_]\w*)\)/g, "(?:"],
  [/\\[AGbB]/g, "\\b"],
  [/\\[zZ]/g, "$"],
  [/\\[hHRXEK]/g, "x"],
  [/\[\[:\^?[a-z]+:\]/g, "[x"],
  [/\{\d+,\d+\}/g, "{2}"],
  [/([*+?}])(?:[*+?]|\{\d+(?:,\d*)?\})+/g, "$1"],
  [/(\^|\$|\\b)(?:[*+?]|\{\d+(?:,\d*)?\})/g, "$1"],
];

/** If several groups have the same name, only the first keeps it. */
function removeRepeatedNames(pattern: string): string {
  const names = new Set<string>();
  return pattern.replace(/\(\?<([A-Za-z_]\w*)>/g, (group, name: string) => {
    if (names.has(name)) return "(?:";
    names.add(name);
    return group;
  });
}

/** Escapes that mean a plain letter in ECMA-262 without the flag `u`, and something else in other flavours. */
const misreadEscape = /(?:^|[^\\])(?:\\\\)*\\[AGhHKQEXzZ]/;

const maxLength = 10_000;

/** Finds the flavour of a pattern by compiling it, without running it. An overlong pattern that is not ECMA-262 with the flag `u` counts as another flavour. */
export function flavourOf(pattern: string): Flavour {
  if (compiles(pattern, "u")) return "ecma";
  if (pattern.length > maxLength) return "other";
  if (!misreadEscape.test(pattern) && compiles(pattern, "")) return "ecma";
  const translated = foreignSyntax.reduce(
    (text, [construct, replacement]) => text.replace(construct, replacement),
    pattern,
  );
  return compiles(removeRepeatedNames(translated), "") ? "other" : "none";
}

function compiles(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
