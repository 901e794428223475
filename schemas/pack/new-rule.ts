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
 * Adds a template of a rule after the rules of its family with lower numbers; without such a family at the end of the only file of rules, or in
 * a new file. The build refuses it while it contains `…`. Throws a usage error for an existing or invalid id.
 */
export function withNewRule(protocol: Protocol, id: string): NewRule {
  const rules = rulesWithLines(protocol);
  refuseId(protocol, id);
  const family = rules.filter((rule) => prefixOf(rule) === prefixOf({ id }));
  const files = [...new Set(rules.map((rule) => rule.family.name))];
  const neighbour = family.filter((rule) => rule.id < id).at(-1) ?? family[0];
  const [only = wordsOf(id)[0]] = files.length > 1 ? [wordsOf(id).slice(1).join("-")] : files;
  const file = join(protocol.folder, "rules", `${neighbour?.family.name ?? only}.yaml`);
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : ["rules:"];
  const startLine = neighbour === undefined ? lines.length : neighbour.family.text.locate(neighbour.at).line;
  const next = lines.findIndex((line, index) => index >= startLine && /^ {2}[A-Z]/.test(line));
  const line = next < 0 ? lines.length : next - 1;
  const gap = lines[line - 1] === "rules:" ? [] : [""];
  lines.splice(line, 0, ...gap, ...templateLines(protocol, id, family));
  return { file, text: `${lines.join("\n")}\n`, line: line + gap.length + 1 };
}

function refuseId({ name, rules }: Protocol, id: string): void {
  const isId = /^[A-Z][A-Z0-9]*(-[A-Z][A-Z0-9]*)+-[0-9]{3}$/.test(id);
  if (isId && rules.every((rule) => rule.id !== id)) return;
  const known = [...new Set(rules.map(prefixOf))];
  throw new TouchstoneError("usage", isId ? `there is a rule ${id}` : `"${id}" is not the id of a rule`, {
    hint: isId
      ? `name a number that none has: ${name} has ${known.join(", ")}`
      : "name two words or more of capitals and digits and a number of three digits: ORDER-SUM-001",
  });
}

/** `order` and `sum` of ORDER-SUM-001. */
function wordsOf(id: string): string[] {
  return prefixOf({ id }).toLowerCase().split("-");
}

function prefixOf({ id }: Pick<PlacedRule, "id">): string {
  return id.replace(/-[0-9]{3}$/, "");
}

function templateLines(protocol: Protocol, id: string, family: readonly PlacedRule[]): string[] {
  const model = family.find(({ document }) => typeof document === "string") ?? family[0];
  const document = typeof model?.document === "string" ? model.document : protocol.profile.documents[0]?.name;
  const names = Object.keys(fixturesOf(protocol)?.value ?? {});
  const fixture = names.find((name) => name.startsWith(`${document}`)) ?? names[0] ?? "…";
  return [
    `  ${id}:`,
    "    statement: …",
    "    clause: …",
    ...(model?.binds === undefined ? [] : [`    binds: [${model.binds.join(", ")}]`]),
    `    document: ${document}`,
    "    # A form, or a function: rules/FILE.js#NAME. A rule that a schema states has sites in place of a check and cases.",
    "    check: { present: [/…] }",
    "    valid:",
    `      whole: { from: ${fixture}, says: … }`,
    "    invalid:",
    "      without: { says: …, remove: /… }",
  ];
}
