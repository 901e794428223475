import { type Change, type Json, misjudgedIf, pointer } from "../../schemas/index.ts";
import type { Mutant } from "./mutant.ts";
import { publishedWords } from "./published-words.ts";

/** The maximum lengths of a described value and of a name, and the maximum number of described changes. */
const maxLengths = { value: 48, name: 60, changes: 3 };

/** Words for strings that contain no letter or digit. */
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ".": "dot",
    "-": "hyphen",
    _: "underscore",
    "+": "plus",
    "*": "star",
    "?": "question mark",
    "/": "slash",
    ":": "colon",
    "~": "tilde",
    '""': "empty text",
    "[]": "empty list",
    "{}": "empty object",
  }),
);

/** Returns the part of an id that names a mutant, made from the words of its description. */
export function nameOf({ says }: Pick<Mutant, "says">): string {
  const spelledWords = publishedWords(says)
    .split(" ")
    .map((word) => signs.get(word.replace(/,$/, "")) ?? word);
  const words = spelledWords
    .join(" ")
    .split(/[^A-Za-z0-9_]+/)
    .filter((word) => word !== "");
  let name = "";
  for (const word of words) {
    const longerName = name === "" ? word : `${name}-${word}`;
    if (longerName.length > maxLengths.name) break;
    name = longerName;
  }
  return name === "" ? "other" : name;
}

/** Returns a sentence about an instance that kills a mutant: its values, and the mistake that misjudges it. */
export function sentenceOf(
  mutant: Pick<Mutant, "says">,
  { valid, at, data, change }: { valid: boolean; at: string; data: Json; change: readonly Change[] },
): string {
  const isWholeChange = change.length > 1 || at === "";
  const parts =
    isWholeChange && change.length > 0
      ? change.map((operation) => describeChange(operation, data))
      : [describePart(at, pointer.at(at, data))];
  const remainder = parts.length > maxLengths.changes ? [`${parts.length - maxLengths.changes + 1} more differ`] : [];
  const shownParts = [
    ...parts.slice(0, remainder.length > 0 ? maxLengths.changes - 1 : maxLengths.changes),
    ...remainder,
  ];
  return `${joinParts(shownParts)}${misjudgedIf(valid, mutant.says)}`;
}

function describeChange({ path }: Change, data: Json): string {
  return describePart(path, pointer.has(path, data) ? pointer.at(path, data) : undefined);
}

function describePart(at: string, value: Json | undefined): string {
  const place = at === "" ? "the document" : `\`${pointer.segments(at).join(".")}\``;
  return value === undefined ? `${place} is missing` : `${place} ${describeValue(value)}`;
}

function describeValue(value: Json): string {
  const text = JSON.stringify(value);
  if (text.length <= maxLengths.value) return `is ${text}`;
  if (typeof value === "string") return `has ${[...value].length} characters, ${describeStart(value)}`;
  if (Array.isArray(value)) return `has ${value.length} ${value.length === 1 ? "entry" : "entries"}`;
  if (typeof value === "object" && value !== null) return `has ${describeMembers(Object.keys(value))}`;
  return `is ${text.slice(0, maxLengths.value)}…`;
}

function describeStart(text: string): string {
  return `beginning with ${JSON.stringify([...text].slice(0, 20).join(""))}`;
}

function describeMembers(names: readonly string[]): string {
  const firstNames = names.slice(0, maxLengths.changes).map((name) => `\`${name.slice(0, maxLengths.value)}\``);
  const remaining = names.length - firstNames.length;
  if (remaining === 0) return joinParts(firstNames);
  return `${firstNames.join(", ")} and ${remaining} more ${remaining === 1 ? "member" : "members"}`;
}

function joinParts(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
