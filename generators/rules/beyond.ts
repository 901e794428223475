import {
  type Document,
  type Json,
  type Protocol,
  readJson,
  TouchstoneError,
  type Vector,
} from "../../schemas/index.ts";
import { findings } from "./check.ts";
import { checkersOf } from "./families.ts";

/** Says of each vector that the schema accepts which rules beyond it the instance breaks, or touches where they are open. */
export function marked(protocol: Protocol, document: Document, vectors: readonly Vector[]): Vector[] {
  const checkers = checkersOf(protocol.name, document.name);
  if (checkers.length === 0) return [...vectors];
  // What a rule leaves open, or only notes, may be refused as well.
  const open = new Set(protocol.rules.filter(({ verdict }) => verdict === "either").map(({ id }) => id));
  return vectors.map((vector) => {
    if (vector.valid !== true) return vector;
    const instance = vector.data ?? valueIn(vector);
    if (instance === undefined) return vector;
    const broken = findings(protocol, document.name, instance, checkers).filter(
      ({ rule, level }) => level === "MUST" || level === "NOTE" || open.has(rule),
    );
    if (broken.length === 0) return vector;
    const beyond = [...new Set(broken.map(({ rule }) => rule))];
    // Beside the level, where a vector says how much it counts.
    const { id, description, valid, readings, data, raw, base64, rule, level, ...rest } = vector;
    const head = { id, description, valid, readings, data, raw, base64, rule, level, beyond };
    return {
      ...(Object.fromEntries(Object.entries(head).filter(([, value]) => value !== undefined)) as typeof head),
      ...rest,
    } as Vector;
  });
}

/** The value of a text; undefined where strict JSON has none. */
function valueIn({ raw, base64 }: Vector): Json | undefined {
  try {
    return readJson(raw ?? Buffer.from(base64 ?? "", "base64"), "vector").value;
  } catch (error) {
    if (error instanceof TouchstoneError) return undefined;
    throw error;
  }
}
