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

/** The faults of an answer by the schema that it must match. */
export interface BrokenPromise {
  level: Level;
  /** The reason for the first fault; empty if only the verdict is known. */
  reason: Reason;
}

/** Judges an answer; undefined if it fits. */
export type Promised = (answer: Json) => BrokenPromise | undefined;

/** Judges answers by schemas, by `$id`. Only values that both validators refuse are faults, and a refusal only for a format gives just a warning if the protocol does not assert formats. A `writeOnly` member, and a text with other JSON than described, also give warnings. */
export function promisesOf(protocol: Protocol): (id: string) => Promise<Promised> {
  // One judge for all schemas: it knows them all and compiles the needed ones.
  let shape: ShapeJudge | undefined;
  return async (id) => {
    const { contentJudge, oracleFor } = await import("../../generators/index.ts");
    const { shapeFor } = await import("../packs/validate/shape.ts");
    const annotatingOracle = await oracleFor(protocol.schemas, id, "annotating");
    const lenientOracle = await oracleFor(protocol.schemas, id, "lenient");
    shape ??= await shapeFor(protocol);
    const judge = shape;
    const secret = await secretsJudge(protocol, id);
    const content = contentJudge(protocol.schemas, id);
    const describeAnswer: Promised = (answer) => {
      const reason = content?.(answer);
      return reason === undefined ? undefined : { level: "SHOULD", reason };
    };
    return (answer) => {
      const isPlain = annotatingOracle.judge(answer).verdict === "invalid";
      if (!isPlain && lenientOracle.judge(answer).verdict !== "invalid")
        return secret(answer) ?? describeAnswer(answer);
      const isFormat = ({ site }: Reason): boolean => site?.endsWith("/format") === true;
      const formatReason = judge({ schema: id } as Document, answer).find((reason) => isFormat(reason) !== isPlain);
      const isAsserted = isPlain || protocol.profile.formats === "assert";
      return { level: isAsserted ? "MUST" : "SHOULD", reason: formatReason ?? {} };
    };
  };
}

/** Judges whether an otherwise right answer has a `writeOnly` member: by JSON Schema it is never sent, and by OpenAPI 3.0 it SHOULD NOT be. */
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

/** A schema that refuses `writeOnly` members; null reveals nothing. */
function withoutSecrets(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value: Json) => {
    if (key !== "properties" || !isObject(value)) return value;
    const isSecret = (each: Json): boolean => isObject(each) && each.writeOnly === true;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, isSecret(each) ? { type: "null" } : each]),
    );
  });
}
