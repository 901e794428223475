import { existsSync, readFileSync } from "node:fs";
import { type JsonObject, jsonObjectOf } from "../../../schemas/index.ts";

/** The text of a file, and its value if it is an object in JSON. */
interface ReadText {
  text: string;
  value: JsonObject | undefined;
}

/** Writes schemas into a pack. Each file is read once: its definitions may be documents. */
export class SchemaCopier {
  readonly #read = new Map<string, ReadText>();

  /** Returns the text of a schema for a pack. If the file is JSON and has the same content, its text is copied, so that the lines of both files agree. Additions, such as an `$id`, are on its first line. */
  copy(schema: JsonObject, file: string | undefined): string {
    const original = file === undefined ? undefined : this.#textOf(file);
    const candidates = original === undefined ? [] : [original, ...addMembers(original, schema)];
    return (
      candidates.find((candidate) => isEquivalent(candidate, schema))?.text ?? `${JSON.stringify(schema, null, 2)}\n`
    );
  }

  #textOf(file: string): ReadText | undefined {
    const knownText = this.#read.get(file);
    if (knownText !== undefined || !existsSync(file)) return knownText;
    const newText = readJsonText(readFileSync(file, "utf8"));
    this.#read.set(file, newText);
    return newText;
  }
}

function readJsonText(text: string): ReadText {
  return { text, value: jsonObjectOf(text) };
}

function addMembers({ text, value }: ReadText, schema: JsonObject): ReadText[] {
  // A file of many definitions is not the schema itself.
  if (value === undefined || Object.keys(value).some((name) => !Object.hasOwn(schema, name))) return [];
  const addedMembers = Object.entries(schema).filter(([name]) => !Object.hasOwn(value, name));
  const members = addedMembers.map(([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)},`);
  return [readJsonText(text.replace("{", () => `{ ${members.join(" ")}`))];
}

/** The order of members counts too, since it affects the vectors. */
function isEquivalent({ value }: ReadText, schema: JsonObject): boolean {
  if (value === undefined || Object.keys(value).length !== Object.keys(schema).length) return false;
  return JSON.stringify(value) === JSON.stringify(schema);
}
