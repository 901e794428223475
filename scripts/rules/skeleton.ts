import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixturesOf, type PlacedRule, type Protocol, rulesWithLines, TouchstoneError } from "../../schemas/index.ts";

/** A file of rules, and its text with one rule more. */
export interface Added {
  file: string;
  text: string;
  line: number;
}

/**
 * A rule to fill in, behind those of its family with lower numbers. The build refuses it as long as places are `…`. Throws a usage error for an id that is
 * there, or if its family has no file.
 */
export function withSkeleton(protocol: Protocol, id: string): Added {
  const prefix = id.replace(/-[0-9]{3}$/, "");
  const rules = rulesWithLines(protocol);
  const family = rules.filter((rule) => rule.id.startsWith(`${prefix}-`));
  if (!/-[0-9]{3}$/.test(id) || family.length === 0 || family.some((rule) => rule.id === id))
    throw new TouchstoneError("usage", `there can be no new rule ${id}`, {
      hint: `name a number that none has: ${protocol.name} has ${[...new Set(rules.map(prefixOf))].join(", ")}`,
    });
  const beside = family.filter((rule) => rule.id < id).at(-1) ?? (family[0] as PlacedRule);
  const file = join(protocol.folder, "rules", `${beside.family.name}.yaml`);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const begin = beside.family.text.locate(beside.at).line;
  const next = lines.findIndex((line, index) => index >= begin && /^ {2}[A-Z]/.test(line));
  const line = next < 0 ? lines.length : next - 1;
  lines.splice(line, 0, "", ...linesOf(protocol, id, family));
  return { file, text: `${lines.join("\n")}\n`, line: line + 2 };
}

function prefixOf({ id }: PlacedRule): string {
  return id.replace(/-[0-9]{3}$/, "");
}

function linesOf(protocol: Protocol, id: string, family: readonly PlacedRule[]): string[] {
  const like = family.find(({ document }) => typeof document === "string") ?? family[0];
  const document = typeof like?.document === "string" ? like.document : protocol.profile.documents[0]?.name;
  const names = Object.keys(fixturesOf(protocol)?.value ?? {});
  const fixture = names.find((name) => name.startsWith(`${document}`)) ?? names[0] ?? "…";
  return [
    `  ${id}:`,
    "    statement: …",
    "    clause: …",
    `    binds: [${like?.binds?.join(", ") ?? "message"}]`,
    `    document: ${document}`,
    "    # A form (see the guide of packs), or a function: rules/FILE.ts#RULE",
    "    check: { present: [/…] }",
    "    valid:",
    `      whole: { from: ${fixture}, says: … }`,
    "    invalid:",
    "      without: { says: …, remove: /… }",
  ];
}
