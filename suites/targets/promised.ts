import {
  type Document,
  isObject,
  type Json,
  type JsonObject,
  type Level,
  type Protocol,
  type Reason,
} from "../../schemas/index.ts";
import type { ShapeJudge } from "../packs/validate/shape.ts";

/** What an answer breaks of the schema that it was promised to fulfil. */
export interface BrokenPromise {
  level: Level;
  /** Of the first fault; empty where only the verdict is known. */
  reason: Reason;
}

/** Judges an answer; undefined where it is as promised. */
export type Promised = (answer: Json) => BrokenPromise | undefined;

/**
 * Holds answers against schemas, by `$id`. Only what both validators refuse is a fault, and of what they refuse for a format alone it is only warned
 * where the protocol does not assert formats. Of a member that is `writeOnly`, and a text that holds other JSON than is described, it is warned as well.
 */
export function promisesOf(protocol: Protocol): (id: string) => Promise<Promised> {
  // One for all: it compiles what it needs, and knows all schemas.
  let shape: ShapeJudge | undefined;
  return async (id) => {
    const { contentJudge, oracleFor } = await import("../../generators/index.ts");
    const { shapeFor } = await import("../packs/validate/shape.ts");
    const plain = await oracleFor(protocol.schemas, id, "annotating");
    const whole = await oracleFor(protocol.schemas, id, "lenient");
    shape ??= await shapeFor(protocol);
    const judge = shape;
    const secret = await secretsJudge(protocol, id);
    const content = contentJudge(protocol.schemas, id);
    const described: Promised = (answer) => {
      const reason = content?.(answer);
      return reason === undefined ? undefined : { level: "SHOULD", reason };
    };
    return (answer) => {
      const isPlain = plain.judge(answer).verdict === "invalid";
      if (!isPlain && whole.judge(answer).verdict !== "invalid") return secret(answer) ?? described(answer);
      const isFormat = ({ site }: Reason): boolean => site?.endsWith("/format") === true;
      const found = judge({ schema: id } as Document, answer).find((each) => isFormat(each) !== isPlain);
      const isAsserted = isPlain || protocol.profile.formats === "assert";
      return { level: isAsserted ? "MUST" : "SHOULD", reason: found ?? {} };
    };
  };
}

/** Judges whether a right answer has what is `writeOnly`: never to be sent, as JSON Schema has it, and by OpenAPI 3.0 it SHOULD NOT be. */
async function secretsJudge(protocol: Protocol, id: string): Promise<Promised> {
  const schemas = protocol.schemas.map(withoutSecrets);
  if (JSON.stringify(schemas) === JSON.stringify(protocol.schemas)) return () => undefined;
  const { oracleFor } = await import("../../generators/index.ts");
  const { shapeFor } = await import("../packs/validate/shape.ts");
  const oracle = await oracleFor(schemas, id, "annotating");
  const judge = await shapeFor({ ...protocol, schemas });
  return (answer) => {
    if (oracle.judge(answer).verdict !== "invalid") return undefined;
    const [first] = judge({ schema: id } as Document, answer);
    return { level: "SHOULD", reason: { at: first?.at ?? "", message: "is writeOnly, and no answer should have it" } };
  };
}

/** A schema that refuses what is `writeOnly`; null gives nothing away. */
function withoutSecrets(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value: Json) => {
    if (key !== "properties" || !isObject(value)) return value;
    const isSecret = (each: Json): boolean => isObject(each) && each.writeOnly === true;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isSecret(each) ? { type: "null" } : each]),
    );
  });
}
