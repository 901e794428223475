import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";

/** As wide as lines of code. */
const width = 120;

/** Words that are not texts for readers of older YAML, and texts that begin like a number. */
const meansMore = /^(?:true|false|null|yes|no|on|off|y|n|~|[-+.]?[0-9.].*)$/i;
const plainInFlow = /^[\p{L}/][\p{L}\p{N}_/ .'()`$@*=;+-]*(?:[#][\p{L}\p{N}-]+)?$/u;
const plainInBlock = /^[\p{L}/(][\p{L}\p{N}_/ .,'"()`$@*=;+?!&|<>[\]{}^~%§…·–-]*$/u;

/** A file of rules as YAML: what fits on a line is a line, and prose goes over several. Readings that come again are aliases. */
export function ruleText(file: JsonObject): string {
  const { rules, ...head } = file;
  const heads = Object.entries(head).map(([name, value]) => `${name}: ${flow(value)}\n`);
  const texts = Object.entries(rules as JsonObject).map(
    ([id, rule]) => `  ${id}:\n${membersOf(rule as JsonObject, 4, true)}`,
  );
  return withAliases(`${heads.join("")}rules:\n${texts.join("\n")}`);
}

/** The same text with an anchor for readings that occur more than once. */
function withAliases(text: string): string {
  const lists = [...text.matchAll(/( +)readings:\n((?:\1 {2}.*\n)+)/g)].map(([, , list]) =>
    (list as string).replace(/^ +/gm, ""),
  );
  const names = new Map<string, string>();
  return text.replace(/( +)readings:\n((?:\1 {2}.*\n)+)/g, (whole, indent: string, list: string) => {
    const plain = list.replace(/^ +/gm, "");
    const name = names.get(plain);
    if (name !== undefined) return `${indent}readings: *${name}\n`;
    if (lists.filter((each) => each === plain).length < 2) return whole;
    names.set(plain, `either-${names.size + 1}`);
    return `${indent}readings: &${names.get(plain)}\n${list}`;
  });
}

/** Named messages as YAML, a line each if they fit. */
export function fixtureText(fixtures: JsonObject): string {
  return membersOf(fixtures, 0);
}

function membersOf(object: JsonObject, indent: number, isBlock = false): string {
  return Object.entries(object)
    .map(([name, value]) => memberOf(name, value, indent, (isBlock && blocks.has(name)) || hasBlocks(value)))
    .join("");
}

/** Members of a rule that are told one below the other. */
const blocks: ReadonlySet<string> = new Set(["valid", "invalid", "disputed", "cases", "scenarios", "readings"]);

function hasBlocks(value: Json): boolean {
  return isObject(value) && ["valid", "readings"].some((name) => Object.hasOwn(value, name));
}

function memberOf(name: string, value: Json, indent: number, isBlock: boolean): string {
  const key = `${" ".repeat(indent)}${scalar(name)}:`;
  const line = `${key} ${typeof value === "string" ? scalar(value, plainInBlock) : flow(value)}`;
  if (!isBlock && line.length <= width && !(typeof value === "string" && value.includes("\n"))) return `${line}\n`;
  const filled = isBlock || typeof value === "string" ? undefined : fill(`${key} `, value, indent + 2);
  return filled ?? `${key}${below(value, indent + 2, isBlock)}`;
}

/** A list or an object in flow style over a few lines; undefined if it takes more. */
function fill(head: string, value: Json, indent: number): string | undefined {
  const lines = [head];
  for (const piece of piecesOf(value, width - indent)) {
    const last = lines.at(-1) as string;
    if (last === head || last.length + piece.length <= width) lines[lines.length - 1] = last + piece;
    else lines.push(" ".repeat(indent) + piece);
  }
  const texts = lines.map((line) => line.trimEnd());
  if (texts.length > mostFilled || texts.some((line) => line.length > width)) return undefined;
  return `${texts.join("\n")}\n`;
}

const mostFilled = 4;

/** Where a value in flow style may be broken; what fits on a line is one piece. */
function piecesOf(value: Json, most: number): string[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [flow(value)];
  const parts = isList
    ? value.map((each) => piecesOf(each, most))
    : Object.entries(value).map(([name, each]) => {
        const [first = "", ...rest] = flow(each).length > most - name.length - 4 ? piecesOf(each, most) : [flow(each)];
        return [`${scalar(name)}: ${first}`, ...rest];
      });
  const all = parts.flatMap((pieces, index) =>
    index === parts.length - 1 ? pieces : [...pieces.slice(0, -1), `${pieces.at(-1)}, `],
  );
  const [open, close] = isList ? ["[", "]"] : ["{ ", " }"];
  if (all.length === 0) return [flow(value)];
  all[0] = open + all[0];
  all[all.length - 1] += close;
  return all;
}

/** A value under its name, or after the dash of its list. */
function below(value: Json, indent: number, isBlock = false): string {
  if (Array.isArray(value) && value.length > 0) return `\n${value.map((item) => itemOf(item, indent)).join("")}`;
  if (isObject(value) && Object.keys(value).length > 0) return `\n${membersOf(value, indent, isBlock)}`;
  if (typeof value === "string") return ` ${longText(value, indent)}\n`;
  return ` ${flow(value)}\n`;
}

function itemOf(item: Json, indent: number): string {
  const line = `${" ".repeat(indent)}- ${flow(item)}`;
  if (line.length <= width && !(typeof item === "string" && item.includes("\n"))) return `${line}\n`;
  if (isObject(item)) return `${" ".repeat(indent)}- ${membersOf(item, indent + 2).slice(indent + 2)}`;
  return `${" ".repeat(indent)}-${below(item, indent + 2)}`;
}

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isObject(value)) return typeof value === "string" ? scalar(value) : JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${scalar(name)}: ${flow(each)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function scalar(text: string, plain = plainInFlow): string {
  const isPlain = plain.test(text) && !meansMore.test(text) && !/ #|: | $|[-]$/.test(text);
  return isPlain ? text : quoted(text);
}

/** Between double quotes, with all that cannot be seen escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u00a0\u00ad\u0600-\u0605\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text over several lines: its own, or those into which words fall. */
function longText(text: string, indent: number): string {
  const pad = " ".repeat(indent);
  const isNarrow = text.split("\n").every((line) => line.length <= width - indent);
  if (
    isNarrow &&
    /^[\x21-\x7e\u00a1-\uffef][\x20-\x7e\n\u00a1-\uffef]*[^\s]\n?$/.test(text) &&
    /\n/.test(text) &&
    !/ (?:\n|$)/.test(text)
  )
    return `${text.endsWith("\n") ? "|" : "|-"}\n${text.replace(/\n$/, "").replace(/^(?=.)/gm, pad)}`;
  const words = text.split(" ");
  const isLong = words.some((word) => word.length > width - indent);
  if (isLong || /\n/.test(text) || words.includes("") || quoted(text) !== JSON.stringify(text))
    return quotedLines(text, pad);
  return `>-\n${wrapped(words, width - indent)
    .map((line) => `${pad}${line}`)
    .join("\n")}`;
}

function wrapped(words: readonly string[], most: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A quoted text over several lines, each ended by a backslash, so that no break is read. */
function quotedLines(text: string, pad: string): string {
  const all = quoted(text);
  const lines: string[] = [];
  for (let rest = all; rest !== ""; ) {
    const escapes = /^(?:\\u[0-9a-f]{4}|\\.|[^\\]){1,90}/.exec(rest)?.[0] ?? rest;
    lines.push(rest === all ? escapes : escapes.replace(/^ /, "\\ "));
    rest = rest.slice(escapes.length);
  }
  return lines.join(`\\\n${pad}`);
}
