import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";
import { classEdits, digitEdits, enlarged } from "./classes.ts";
import { kinEdits } from "./kin.ts";

/** A pattern with one small change. */
export interface PatternEdit {
  source: string;
  says: string;
  effect: "weaker" | "stronger" | "other";
  /** One of many like it. */
  fine?: true;
  /** One text is enough to tell it. */
  single?: true;
}

/** Characters of all changed patterns together: of a pattern of thousands of parts the first places have to do. */
const mostCharacters = 2_000_000;

/** The mistakes one makes with a pattern, each at every place where it can be made. */
export function patternEdits(source: string): PatternEdit[] {
  const found = new Map<string, PatternEdit>();
  let characters = 0;
  const literal = parseRegExpLiteral(new RegExp(source, "u"));
  const text = literal.pattern.raw;
  const offset = literal.pattern.start;
  const offer = (
    node: AST.Node,
    replacement: string,
    says: string,
    effect: PatternEdit["effect"],
    more: Pick<PatternEdit, "fine" | "single"> = {},
  ) => {
    if (characters > mostCharacters) return;
    const changed = text.slice(0, node.start - offset) + replacement + text.slice(node.end - offset);
    if (changed === text || found.has(changed)) return;
    characters += changed.length;
    try {
      new RegExp(changed, "u");
    } catch {
      return;
    }
    found.set(changed, { source: changed, says, effect, ...more });
  };
  const [only, ...others] = literal.pattern.alternatives;
  const [first, last] = [only?.elements[0], only?.elements.at(-1)];
  const isWhole = others.length === 0 && first?.type === "Assertion" && first.kind === "start" && last !== first;
  if (isWhole && last?.type === "Assertion" && last.kind === "end")
    offer(literal.pattern, `^\\s*(?:${text.slice(1, -1)})\\s*$`, "white space around it does not matter", "weaker");
  if (others.length === 0 && first?.type !== "Assertion" && last?.type !== "Assertion") {
    offer(literal.pattern, `^(?:${text})`, "it has to match from the start", "stronger", few);
    offer(literal.pattern, `^.*(?:${text}).*$`, "what is around it has to be on one line", "stronger", few);
  }
  visitRegExpAST(literal, {
    onAssertionEnter(node) {
      if (node.kind !== "start" && node.kind !== "end") return;
      offer(node, "", `the ${node.kind} is not anchored`, "weaker");
      if (node.kind === "end") offer(node, "\\n?$", "a line feed may follow at the end", "weaker");
    },
    onQuantifierEnter(node) {
      const element = node.element.raw;
      const lazy = node.greedy ? "" : "?";
      const bounds = (min: number, max: number) =>
        `${element}{${min},${max === Number.POSITIVE_INFINITY ? "" : max}}${lazy}`;
      const { min, max } = node;
      const named = `${node.raw.slice(element.length)} after ${element}`;
      if (min > 0) offer(node, bounds(min - 1, max), `one fewer is enough for ${named}`, "weaker");
      if (min < max) offer(node, bounds(min + 1, max), `one more is needed for ${named}`, "stronger");
      if (max !== Number.POSITIVE_INFINITY) {
        offer(node, bounds(min, max + 1), `one more is allowed for ${named}`, "weaker");
        if (max > min && max > 1) offer(node, bounds(min, max - 1), `one fewer is allowed for ${named}`, "stronger");
      } else if (min <= 1) offer(node, bounds(min, 64), `at most 64 for ${named}`, "stronger");
    },
    onCharacterClassEnter(node) {
      offer(node, "[^]", `anything matches ${node.raw}`, "weaker");
      for (const element of node.elements.length < 2 ? [] : node.elements) {
        const rest = node.elements.filter((other) => other !== element).map((other) => other.raw);
        const less = `[${node.negate ? "^" : ""}${rest.join("")}]`;
        offer(node, less, `${element.raw} is missing from ${node.raw}`, node.negate ? "weaker" : "stronger");
      }
      for (const { text, says, effect } of kinEdits(node)) offer(node, text, says, effect, few);
      if (node.negate) return;
      for (const [says, more] of wider(node))
        offer(node, enlarged(node, more), `${node.raw} matches ${says}`, "weaker");
      for (const { text, says, effect } of classEdits(node)) offer(node, text, says, effect, { fine: true });
    },
    onCharacterSetEnter(node) {
      const ascii = asciiOf(node);
      const isNegated = node.parent.type === "CharacterClass" && node.parent.negate;
      if (ascii !== undefined && !isNegated)
        offer(
          node,
          node.parent.type === "CharacterClass" ? ascii : `[${ascii}]`,
          `${node.raw} matches only what is in ASCII`,
          "stronger",
        );
      if (node.parent.type === "CharacterClass") return;
      offer(node, "[^]", `anything matches ${node.raw}`, "weaker");
      if (node.kind === "digit" && !node.negate)
        offer(node, "\\p{Nd}", `${node.raw} matches ${scripts.digit}`, "weaker");
      for (const { text, says, effect } of digitEdits(node)) offer(node, text, says, effect, { fine: true });
      if (node.kind === "word" && !node.negate)
        offer(node, "[\\w\\p{L}\\p{Nd}]", `${node.raw} matches ${scripts.letter}`, "weaker");
      for (const { text, says, effect } of kinEdits(node)) offer(node, text, says, effect, few);
    },
    onCharacterEnter(node) {
      if (node.parent.type !== "Alternative" && node.parent.type !== "Quantifier") return;
      offer(node, "[^]", `anything matches ${node.raw}`, "weaker");
      const character = String.fromCodePoint(node.value);
      const other = separators[character];
      if (other !== undefined) offer(node, "[_-]", `${node.raw} matches ${other} as well`, "weaker", few);
      if (character === " ") offer(node, "\\s", "any white space is taken for a space", "weaker");
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      if (lower !== upper) offer(node, `[${lower}${upper}]`, `${node.raw} matches in either case`, "weaker");
    },
    onAlternativeEnter(node) {
      const { parent } = node;
      if (parent.type !== "Group" && parent.type !== "CapturingGroup" && parent.type !== "Pattern") return;
      // To write thousands of others thousands of times takes minutes, also where none of it is kept.
      if (parent.alternatives.length < 2 || characters > mostCharacters) return;
      const rest = parent.alternatives.filter((other) => other !== node).map((other) => other.raw);
      const open = parent.type === "Pattern" ? "" : "(?:";
      const close = parent.type === "Pattern" ? "" : ")";
      offer(parent, `${open}${rest.join("|")}${close}`, `the alternative ${node.raw} is missing`, "stronger");
    },
  });
  return [...found.values()];
}

/** Of these there are many, and one text tells each. */
const few = { fine: true, single: true } as const;

/** What stands between words, and what others put there. */
const separators: Record<string, string> = { "-": "_", _: "-" };

const scripts = { digit: "digits of every script", letter: "letters of every script" };

/** What a property of Unicode has in ASCII, as inside of a class: engines without Unicode know no more of it. Undefined where that is nothing. */
function asciiOf(set: AST.CharacterSet): string | undefined {
  if (set.kind !== "property" || set.negate) return undefined;
  const isIn = new RegExp(set.raw, "u");
  const codes = Array.from({ length: 128 }, (_, index) => index).filter((each) => isIn.test(String.fromCharCode(each)));
  const written = (each: number) => `\\u{${each.toString(16)}}`;
  const ranges = codes
    .filter((each) => !codes.includes(each - 1))
    .map((first) => {
      let last = first;
      while (codes.includes(last + 1)) last += 1;
      return `${written(first)}-${written(last)}`;
    });
  return ranges.length === 0 ? undefined : ranges.join("");
}

/** What a class matches as well in other engines, and in another case. */
function wider({ elements }: AST.CharacterClass): [says: string, more: string][] {
  const found: [string, string][] = [];
  const has = (from: string, to: string): boolean =>
    elements.some(
      (each) => each.type === "CharacterClassRange" && each.min.value <= code(from) && each.max.value >= code(to),
    );
  const isSet = (kind: string): boolean =>
    elements.some((each) => each.type === "CharacterSet" && each.kind === kind && !("negate" in each && each.negate));
  if (has("0", "9") || isSet("digit") || isSet("word")) found.push([scripts.digit, "\\p{Nd}"]);
  // Letters in the other case are a mistake of its own.
  const [isSmall, isCapital] = [has("a", "z") || isSet("word"), has("A", "Z") || isSet("word")];
  const cased = `${isSmall ? "\\p{Ll}" : ""}${isCapital ? "\\p{Lu}" : ""}`;
  if (cased !== "") found.push([scripts.letter, isSmall && isCapital ? "\\p{L}" : `${cased}\\p{Lt}\\p{Lm}\\p{Lo}`]);
  for (const each of elements) {
    if (each.type !== "CharacterClassRange") continue;
    const [from, to] = [each.min.value, each.max.value].map((value) => String.fromCodePoint(value)) as [string, string];
    const [lower, upper] = [/^[a-z]{2}$/.test(from + to), /^[A-Z]{2}$/.test(from + to)];
    const [first, last] = lower ? [from.toUpperCase(), to.toUpperCase()] : [from.toLowerCase(), to.toLowerCase()];
    if ((lower || upper) && !has(first, last)) found.push([`${first} to ${last} as well`, `${first}-${last}`]);
  }
  return found;
}

function code(character: string): number {
  return character.codePointAt(0) as number;
}
