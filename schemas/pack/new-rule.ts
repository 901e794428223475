import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TouchstoneError } from "../error.ts";
import type { Protocol } from "../protocol.ts";
import { fixturesOf, rulesWithLines } from "./read.ts";
import type { PlacedRule } from "./rule-files.ts";

/** A file of rules, its text with one more rule, and the line of that rule. */
export interface NewRule {
  file: string;
  text: string;
  line: number;
}

/**
 * Adds a template of a rule after the rules of its family with lower numbers. If the family is new, adds it to the only rule file, or to a
 * new file. The build refuses it while it contains `…`. Throws a usage error for an existing or invalid id.
 */
export function withNewRule(protocol: Protocol, id: string): NewRule {
  const rules = rulesWithLines(protocol);
  refuseId(protocol, id);
  const familyRules = rules.filter((rule) => prefixOf(rule) === prefixOf({ id }));
  const files = [...new Set(rules.map((rule) => rule.family.name))];
  const neighbour = familyRules.filter((rule) => rule.id < id).at(-1) ?? familyRules[0];
  const [fileName = wordsOf(id)[0]] = files.length > 1 ? [wordsOf(id).slice(1).join("-")] : files;
  const file = join(protocol.folder, "rules", `${neighbour?.family.name ?? fileName}.yaml`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : ["rules:"];
  const startLine = neighbour === undefined ? lines.length : neighbour.family.text.locate(neighbour.at).line;
  const nextRuleLine = lines.findIndex((line, index) => index >= startLine && /^ {2}[A-Z]/.test(line));
  const line = nextRuleLine < 0 ? lines.length : nextRuleLine - 1;
  const blankLine = lines[line - 1] === "rules:" ? [] : [""];
  lines.splice(line, 0, ...blankLine, ...templateLines(protocol, id, familyRules));
  return { file, text: `${lines.join("\n")}\n`, line: line + blankLine.length + 1 };
}

function refuseId({ name, rules }: Protocol, id: string): void {
  const isId = /^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{3}$/.test(id);
  if (isId && rules.every((rule) => rule.id !== id)) return;
  const knownPrefixes = [...new Set(rules.map(prefixOf))];
  throw new TouchstoneError("usage", isId ? `there is a rule ${id}` : `"${id}" is not the id of a rule`, {
    hint: isId
      ? `name a number that none has: ${name} has ${knownPrefixes.join(", ")}`
      : "name two words or more of capitals and digits and a number of three digits: ORDER-SUM-001",
  });
}

/** The words of an id: `order` and `sum` of ORDER-SUM-001. */
function wordsOf(id: string): string[] {
  return prefixOf({ id }).toLowerCase().split("-");
}

function prefixOf({ id }: Pick<PlacedRule, "id">): string {
  return id.replace(/-[0-9]{3}$/, "");
}

function templateLines(protocol: Protocol, id: string, family: readonly PlacedRule[]): string[] {
  const similarRule = family.find(({ document }) => typeof document === "string") ?? family[0];
  const document =
    typeof similarRule?.document === "string" ? similarRule.document : protocol.profile.documents[0]?.name;
  const names = Object.keys(fixturesOf(protocol)?.value ?? {});
  const fixture = names.find((name) => name.startsWith(`${document}`)) ?? names[0] ?? "…";
  return [
    `  ${id}:`,
    "    statement: …",
    "    clause: …",
    ...(similarRule?.binds === undefined ? [] : [`    binds: [${similarRule.binds.join(", ")}]`]),
    `    document: ${document}`,
    "    # A form, or a function: rules/FILE.js#NAME. A rule that a schema states has sites in place of a check and cases.",
    "    check: { present: [/…] }",
    "    valid:",
    `      whole: { from: ${fixture}, says: … }`,
    "    invalid:",
    "      without: { says: …, remove: /… }",
  ];
}
