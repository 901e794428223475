import { isObject, type JsonObject, pointer, protocolNamed } from "../../../../schemas/index.ts";

/** A part of a schema of the protocol, by the end of its file name and a JSON Pointer. Throws if there is none. */
function partOf(file: string, at: string): JsonObject {
  const schema = protocolNamed("snap").schemas.find(({ $id }) => String($id).endsWith(`/${file}.schema.json`));
  const part = schema && pointer.at(at, schema as JsonObject);
  if (!isObject(part)) throw new Error(`there is no ${at} in ${file}`);
  return part;
}

/** The members that a schema defines. */
export function membersOf(file: string): string[] {
  return Object.keys(partOf(file, "/properties"));
}

/** The texts that a definition of common.schema.json lists. */
export function listedIn(name: string): string[] {
  const { enum: all } = partOf("common", `/$defs/${name}`);
  return Array.isArray(all) ? all.map(String) : [];
}

/** The possible next states of each state, and the final states, as a rule's sentence lists them: "from `a` to `b`, `c` or `d`, and from …". */
export function stepsOf(rule: string): { next: Readonly<Record<string, readonly string[]>>; over: readonly string[] } {
  const { statement = "" } = protocolNamed("snap").rules.find(({ id }) => id === rule) ?? {};
  const next = Object.fromEntries(
    statement
      .split("from ")
      .slice(1)
      .map((clause): [string, string[]] => {
        const [from = "", ...to] = [...clause.matchAll(/`(\w+)`/g)].map(([, state = ""]) => state);
        return [from, to];
      }),
  );
  return { next, over: listedIn("TaskState").filter((state) => !Object.hasOwn(next, state)) };
}
