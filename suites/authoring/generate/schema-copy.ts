import { existsSync, readFileSync } from "node:fs";
import type { JsonObject } from "../../../schemas/index.ts";

/** A schema as it is written into a pack. If the file is JSON and has the same content, its text is copied, so that the lines of both files agree. Additions, such as an `$id`, are on its first line. */
export function copySchema(schema: JsonObject, file: string | undefined): string {
  const anew = `${JSON.stringify(schema, null, 2)}\n`;
  if (file === undefined || !existsSync(file)) return anew;
  const before = readFileSync(file, "utf8");
  return [before, ...addMembers(before, schema)].find((text) => isEquivalent(text, schema)) ?? anew;
}

function addMembers(text: string, schema: JsonObject): string[] {
  const there = parseText(text);
  // A file of many definitions is not the schema itself.
  if (there === undefined || Object.keys(there).some((name) => !Object.hasOwn(schema, name))) return [];
  const added = Object.entries(schema).filter(([name]) => !Object.hasOwn(there, name));
  const members = added.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return [text.replace("{", () => `{ ${members.join(" ")}`)];
}

/** The order of members counts too, since it affects the vectors. */
function isEquivalent(text: string, schema: JsonObject): boolean {
  const members = Object.keys(parseText(text) ?? {});
  if (members.length !== Object.keys(schema).length) return false;
  return JSON.stringify(parseText(text)) === JSON.stringify(schema);
}

/** The text that was parsed last: definitions of one file are copied one after another. */
let last: { text: string; value: JsonObject | undefined } | undefined;

function parseText(text: string): JsonObject | undefined {
  if (last?.text === text) return last.value;
  let value: JsonObject | undefined;
  try {
    value = JSON.parse(text) as JsonObject;
  } catch {
    // Not JSON: the schema is serialized.
  }
  last = { text, value };
  return value;
}
