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

/** How an answer violates the schema that it must match. */
export interface BrokenPromise {
  level: Level;
  /** The reason for the first fault; empty if only the verdict is known. */
  reason: Reason;
}

/** Judges an answer; returns undefined if it conforms. */
export type PromiseCheck = (answer: Json) => BrokenPromise | undefined;

/** Creates checks of answers, each by the schema with the given `$id`. A fault is a value that both validators refuse. If only a format is wrong and the protocol does not assert formats, it is a warning. A `writeOnly` member, or a string that does not contain the described JSON, is a warning too. */
export function createPromiseChecks(protocol: Protocol): (id: string) => Promise<PromiseCheck> {
  // One judge for all schemas: it knows them all and compiles the needed ones.
  let shape: ShapeJudge | undefined;
  return async (id) => {
    const { contentJudge, oracleFor } = await import("../../generators/index.ts");
    const { shapeFor } = await import("../packs/validate/shape.ts");
    const annotatingOracle = await oracleFor(protocol.schemas, id, "annotating");
    const lenientOracle = await oracleFor(protocol.schemas, id, "lenient");
    shape ??= await shapeFor(protocol);
    const judge = shape;
    const checkSecrets = await createSecretsCheck(protocol, id);
    const judgeContent = contentJudge(protocol.schemas, id);
    const checkContent: PromiseCheck = (answer) => {
      const reason = judgeContent?.(answer);
      return reason === undefined ? undefined : { level: "SHOULD", reason };
    };
    return (answer) => {
      const isInvalidWithoutFormats = annotatingOracle.judge(answer).verdict === "invalid";
      if (!isInvalidWithoutFormats && lenientOracle.judge(answer).verdict !== "invalid")
        return checkSecrets(answer) ?? checkContent(answer);
      const isFormat = ({ site }: Reason): boolean => site?.endsWith("/format") === true;
      const firstReason = judge({ schema: id } as Document, answer).find(
        (reason) => isFormat(reason) !== isInvalidWithoutFormats,
      );
      const isViolation = isInvalidWithoutFormats || protocol.profile.formats === "assert";
      return { level: isViolation ? "MUST" : "SHOULD", reason: firstReason ?? {} };
    };
  };
}

/** Creates a check for `writeOnly` members in an otherwise correct answer: by JSON Schema they are never sent, and by OpenAPI 3.0 they SHOULD NOT be. */
async function createSecretsCheck(protocol: Protocol, id: string): Promise<PromiseCheck> {
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

/** Returns the schema with each `writeOnly` member restricted to null, which reveals nothing. */
function withoutSecrets(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (key, value: Json) => {
    if (key !== "properties" || !isObject(value)) return value;
    const isSecret = (member: Json): boolean => isObject(member) && member.writeOnly === true;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, isSecret(member) ? { type: "null" } : member]),
    );
  });
}
