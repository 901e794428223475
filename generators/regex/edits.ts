import { type AST, parseRegExpLiteral, visitRegExpAST } from "@eslint-community/regexpp";
import { classEdits, digitEdits, enlargeClass } from "./classes.ts";
import { kinEdits } from "./kin.ts";

/** A pattern with one small change. */
export interface PatternEdit {
  source: string;
  says: string;
  effect: "weaker" | "stronger" | "other";
  /** Whether the edit is one of many similar ones. */
  isFineGrained?: true;
  /** Whether one vector is enough to kill the mutant with the edit. */
  needsOneKill?: true;
}

/** The maximum total length of all changed patterns. If a pattern has thousands of parts, only the first ones are changed. */
const maxCharacters = 2_000_000;

/** Lists the common mistakes in a pattern, each at every possible place. */
export function patternEdits(source: string): PatternEdit[] {
  const literal = parseRegExpLiteral(new RegExp(source, "u"));
  const edits = new Edits(literal.pattern);
  anchorPattern(edits, literal.pattern);
  visitRegExpAST(literal, {
    onAssertionEnter: (node) => loosenAnchor(edits, node),
    onQuantifierEnter: (node) => moveBounds(edits, node),
    onCharacterClassEnter: (node) => changeClass(edits, node),
    onCharacterSetEnter: (node) => changeSet(edits, node),
    onCharacterEnter: (node) => changeCharacter(edits, node),
    onAlternativeEnter: (node) => omitAlternative(edits, node),
  });
  return [...edits.editsBySource.values()];
}

/** The replacement of a node, and its description. */
interface PatternChange {
  text: string;
  says: string;
  effect: PatternEdit["effect"];
}

/** The changed patterns that can be compiled, each once. */
class Edits {
  readonly editsBySource = new Map<string, PatternEdit>();
  readonly #text: string;
  readonly #offset: number;
  /** The total length of all changed patterns. */
  #characters = 0;

  constructor({ raw, start }: AST.Pattern) {
    this.#text = raw;
    this.#offset = start;
  }

  get isFull(): boolean {
    return this.#characters > maxCharacters;
  }

  offer(
    node: AST.Node,
    { text, says, effect }: PatternChange,
    flags: Pick<PatternEdit, "isFineGrained" | "needsOneKill"> = {},
  ): void {
    if (this.isFull) return;
    const changed = this.#text.slice(0, node.start - this.#offset) + text + this.#text.slice(node.end - this.#offset);
    if (changed === this.#text || this.editsBySource.has(changed)) return;
    this.#characters += changed.length;
    try {
      new RegExp(changed, "u");
    } catch {
      return;
    }
    this.editsBySource.set(changed, { source: changed, says, effect, ...flags });
  }

  weaken(
    node: AST.Node,
    text: string,
    says: string,
    flags?: Pick<PatternEdit, "isFineGrained" | "needsOneKill">,
  ): void {
    this.offer(node, { text, says, effect: "weaker" }, flags);
  }

  strengthen(
    node: AST.Node,
    text: string,
    says: string,
    flags?: Pick<PatternEdit, "isFineGrained" | "needsOneKill">,
  ): void {
    this.offer(node, { text, says, effect: "stronger" }, flags);
  }
}

/** Adds white space around an anchored pattern, and anchors to an unanchored one. */
function anchorPattern(edits: Edits, pattern: AST.Pattern): void {
  const [alternative, ...others] = pattern.alternatives;
  const [first, last] = [alternative?.elements[0], alternative?.elements.at(-1)];
  const isWhole = others.length === 0 && first?.type === "Assertion" && first.kind === "start" && last !== first;
  if (isWhole && last?.type === "Assertion" && last.kind === "end")
    edits.weaken(pattern, `^\\s*(?:${pattern.raw.slice(1, -1)})\\s*$`, "white space around it does not matter");
  if (others.length === 0 && first?.type !== "Assertion" && last?.type !== "Assertion") {
    edits.strengthen(pattern, `^(?:${pattern.raw})`, "it has to match from the start", singleEdit);
    edits.strengthen(pattern, `^.*(?:${pattern.raw}).*$`, "the text around it has to be on one line", singleEdit);
  }
}

function loosenAnchor(edits: Edits, node: AST.Assertion): void {
  if (node.kind !== "start" && node.kind !== "end") return;
  edits.weaken(node, "", `the ${node.kind} is not anchored`);
  if (node.kind === "end") edits.weaken(node, "\\n?$", "a line feed may follow at the end");
}

function moveBounds(edits: Edits, node: AST.Quantifier): void {
  const element = node.element.raw;
  const lazy = node.greedy ? "" : "?";
  const bounds = (min: number, max: number) =>
    `${element}{${min},${max === Number.POSITIVE_INFINITY ? "" : max}}${lazy}`;
  const { min, max } = node;
  const quantifierName = `${node.raw.slice(element.length)} after ${element}`;
  if (min > 0) edits.weaken(node, bounds(min - 1, max), `one fewer is enough for ${quantifierName}`);
  if (min < max) edits.strengthen(node, bounds(min + 1, max), `one more is needed for ${quantifierName}`);
  if (max !== Number.POSITIVE_INFINITY) {
    edits.weaken(node, bounds(min, max + 1), `one more is allowed for ${quantifierName}`);
    if (max > min && max > 1)
      edits.strengthen(node, bounds(min, max - 1), `one fewer is allowed for ${quantifierName}`);
  } else if (min <= 1) edits.strengthen(node, bounds(min, 64), `at most 64 for ${quantifierName}`);
}

function changeClass(edits: Edits, node: AST.CharacterClass): void {
  edits.weaken(node, "[^]", `${node.raw} matches any character`);
  for (const element of node.elements.length < 2 ? [] : node.elements) {
    const rest = node.elements.filter((other) => other !== element).map((other) => other.raw);
    const text = `[${node.negate ? "^" : ""}${rest.join("")}]`;
    const says = `${element.raw} is missing from ${node.raw}`;
    edits.offer(node, { text, says, effect: node.negate ? "weaker" : "stronger" });
  }
  for (const change of kinEdits(node)) edits.offer(node, change, singleEdit);
  if (node.negate) return;
  for (const [says, characters] of widerClasses(node))
    edits.weaken(node, enlargeClass(node, characters), `${node.raw} matches ${says}`);
  for (const change of classEdits(node)) edits.offer(node, change, { isFineGrained: true });
}

function changeSet(edits: Edits, node: AST.CharacterSet): void {
  const ascii = asciiOf(node);
  const isInClass = node.parent.type === "CharacterClass";
  const isNegated = node.parent.type === "CharacterClass" && node.parent.negate;
  if (ascii !== undefined && !isNegated)
    edits.strengthen(node, isInClass ? ascii : `[${ascii}]`, `${node.raw} matches only ASCII characters`);
  if (isInClass) return;
  edits.weaken(node, "[^]", `${node.raw} matches any character`);
  if (node.kind === "digit" && !node.negate) edits.weaken(node, "\\p{Nd}", `${node.raw} matches ${scriptNames.digit}`);
  for (const change of digitEdits(node)) edits.offer(node, change, { isFineGrained: true });
  if (node.kind === "word" && !node.negate)
    edits.weaken(node, "[\\w\\p{L}\\p{Nd}]", `${node.raw} matches ${scriptNames.letter}`);
  for (const change of kinEdits(node)) edits.offer(node, change, singleEdit);
}

function changeCharacter(edits: Edits, node: AST.Character): void {
  if (node.parent.type !== "Alternative" && node.parent.type !== "Quantifier") return;
  edits.weaken(node, "[^]", `${node.raw} matches any character`);
  const character = String.fromCodePoint(node.value);
  const otherSeparator = separators[character];
  if (otherSeparator !== undefined)
    edits.weaken(node, "[_-]", `${node.raw} matches ${otherSeparator} as well`, singleEdit);
  if (character === " ") edits.weaken(node, "\\s", "any white space is accepted as a space");
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  if (lower !== upper) edits.weaken(node, `[${lower}${upper}]`, `${node.raw} matches in either case`);
}

function omitAlternative(edits: Edits, node: AST.Alternative): void {
  const { parent } = node;
  if (parent.type !== "Group" && parent.type !== "CapturingGroup" && parent.type !== "Pattern") return;
  // Joining thousands of alternatives thousands of times would last minutes, even if no result is kept.
  if (parent.alternatives.length < 2 || edits.isFull) return;
  const rest = parent.alternatives.filter((other) => other !== node).map((other) => other.raw);
  const open = parent.type === "Pattern" ? "" : "(?:";
  const close = parent.type === "Pattern" ? "" : ")";
  edits.strengthen(parent, `${open}${rest.join("|")}${close}`, `the alternative ${node.raw} is missing`);
}

/** The flags of edits that are numerous, and that a single string kills. */
const singleEdit = { isFineGrained: true, needsOneKill: true } as const;

/** Separators of words, and their common replacements. */
const separators: Record<string, string> = { "-": "_", _: "-" };

const scriptNames = { digit: "digits of every script", letter: "letters of every script" };

/** Returns the ASCII characters of a Unicode property, written as ranges of a class. Engines without Unicode know only these. Undefined if there are none. */
function asciiOf(set: AST.CharacterSet): string | undefined {
  if (set.kind !== "property" || set.negate) return undefined;
  const propertyPattern = new RegExp(set.raw, "u");
  const codes = Array.from({ length: 128 }, (_, index) => index).filter((charCode) =>
    propertyPattern.test(String.fromCharCode(charCode)),
  );
  const writeCharacter = (charCode: number) => `\\u{${charCode.toString(16)}}`;
  const ranges = codes
    .filter((charCode) => !codes.includes(charCode - 1))
    .map((first) => {
      let last = first;
      while (codes.includes(last + 1)) last += 1;
      return `${writeCharacter(first)}-${writeCharacter(last)}`;
    });
  return ranges.length === 0 ? undefined : ranges.join("");
}

/** Lists further characters that a class matches in other engines or in the other letter case. */
function widerClasses({ elements }: AST.CharacterClass): [says: string, more: string][] {
  const additions: [string, string][] = [];
  const containsRange = (from: string, to: string): boolean =>
    elements.some(
      (element) =>
        element.type === "CharacterClassRange" && element.min.value <= code(from) && element.max.value >= code(to),
    );
  const isSet = (kind: string): boolean =>
    elements.some(
      (element) => element.type === "CharacterSet" && element.kind === kind && !("negate" in element && element.negate),
    );
  if (containsRange("0", "9") || isSet("digit") || isSet("word")) additions.push([scriptNames.digit, "\\p{Nd}"]);
  // Letters in the other case are a separate mistake.
  const [isSmall, isCapital] = [containsRange("a", "z") || isSet("word"), containsRange("A", "Z") || isSet("word")];
  const cased = `${isSmall ? "\\p{Ll}" : ""}${isCapital ? "\\p{Lu}" : ""}`;
  if (cased !== "")
    additions.push([scriptNames.letter, isSmall && isCapital ? "\\p{L}" : `${cased}\\p{Lt}\\p{Lm}\\p{Lo}`]);
  for (const element of elements) {
    if (element.type !== "CharacterClassRange") continue;
    const [first, last] = swapCase(element) ?? [];
    if (first !== undefined && last !== undefined && !containsRange(first, last))
      additions.push([`${first} to ${last} as well`, `${first}-${last}`]);
  }
  return additions;
}

/** Swaps upper and lower case in a range of ASCII letters. Undefined for any other range. */
function swapCase({ min, max }: AST.CharacterClassRange): [first: string, last: string] | undefined {
  const ends = String.fromCodePoint(min.value, max.value);
  const isLower = /^[a-z]{2}$/.test(ends);
  if (!isLower && !/^[A-Z]{2}$/.test(ends)) return undefined;
  const [first, last] = isLower ? ends.toUpperCase() : ends.toLowerCase();
  return [first as string, last as string];
}

function code(character: string): number {
  return character.codePointAt(0) as number;
}
