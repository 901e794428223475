import {
  type Checker,
  type Document,
  type Json,
  type RuledProtocol,
  readJson,
  TouchstoneError,
  type Vector,
} from "../../schemas/index.ts";
import { findings } from "./check.ts";
import { checkersOf } from "./families.ts";

/** Tells of an instance that the schema accepts which rules beyond it the instance breaks, or touches where they are open. */
export function breachesOf(
  protocol: RuledProtocol,
  document: Document,
  checkers: readonly Checker[] = checkersOf(protocol.families, document.name),
): (instance: Json, among?: readonly string[]) => string[] {
  // What a rule leaves open, or only notes, may be refused as well.
  const open = new Set(protocol.rules.filter(({ verdict }) => verdict === "either").map(({ id }) => id));
  return (instance, among) => {
    const asked = among === undefined ? checkers : checkers.filter(({ rule }) => among.includes(rule));
    const broken = findings(protocol, document.name, instance, asked).filter(
      ({ rule, level }) => level === "MUST" || level === "NOTE" || open.has(rule),
    );
    return [...new Set(broken.map(({ rule }) => rule))];
  };
}

/** Says of each valid vector which rules beyond the schema may be held against it. */
export function marked(protocol: RuledProtocol, document: Document, vectors: readonly Vector[]): Vector[] {
  const breaches = breachesOf(protocol, document);
  return vectors.map((vector) => {
    if (vector.valid !== true) return vector;
    const instance = vector.data ?? valueIn(vector);
    const beyond = instance === undefined ? [] : breaches(instance);
    if (beyond.length === 0) return vector;
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
