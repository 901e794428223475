import { isObject, type JsonObject, pointer, protocolNamed } from "../../../../schemas/index.ts";

/** Finds a part of a schema of the protocol, by the name of its file and a JSON Pointer. Throws if there is none. */
function partOf(file: string, at: string): JsonObject {
  const schema = protocolNamed("snap").schemas.find(({ $id }) => String($id).endsWith(`/${file}.schema.json`));
  const part = schema && pointer.at(at, schema as JsonObject);
  if (!isObject(part)) throw new Error(`there is no ${at} in ${file}`);
  return part;
}

/** Lists the members that a schema defines. */
export function membersOf(file: string): string[] {
  return Object.keys(partOf(file, "/properties"));
}

/** Lists the enum values of a definition in common.schema.json. */
export function enumValuesOf(name: string): string[] {
  const { enum: values } = partOf("common", `/$defs/${name}`);
  return Array.isArray(values) ? values.map(String) : [];
}

/** Parses the next states of each state, and the final states, from a rule's statement: "from `a` to `b`, `c` or `d`, and from …". */
export function transitionsOf(rule: string): {
  nextStates: Readonly<Record<string, readonly string[]>>;
  finalStates: readonly string[];
} {
  const { statement = "" } = protocolNamed("snap").rules.find(({ id }) => id === rule) ?? {};
  const nextStates = Object.fromEntries(
    statement
      .split("from ")
      .slice(1)
      .map((clause): [string, string[]] => {
        const [from = "", ...nextNames] = [...clause.matchAll(/`(\w+)`/g)].map(([, state = ""]) => state);
        return [from, nextNames];
      }),
  );
  return { nextStates, finalStates: enumValuesOf("TaskState").filter((state) => !Object.hasOwn(nextStates, state)) };
}
