import type { Document, Json, Level, Protocol, Reason } from "../../schemas/index.ts";
import type { ShapeJudge } from "../validate/shape.ts";

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
 * where the protocol does not assert formats.
 */
export function promisesOf(protocol: Protocol): (id: string) => Promise<Promised> {
  // One for all: it compiles what it needs, and knows all schemas.
  let shape: ShapeJudge | undefined;
  return async (id) => {
    const { oracleFor } = await import("../../generators/index.ts");
    const { shapeFor } = await import("../validate/shape.ts");
    const plain = await oracleFor(protocol.schemas, id, "annotating");
    const whole = await oracleFor(protocol.schemas, id, "lenient");
    shape ??= await shapeFor(protocol);
    const judge = shape;
    return (answer) => {
      const isPlain = plain.judge(answer).verdict === "invalid";
      if (!isPlain && whole.judge(answer).verdict !== "invalid") return undefined;
      const isFormat = ({ site }: Reason): boolean => site?.endsWith("/format") === true;
      const found = judge({ schema: id } as Document, answer).find((each) => isFormat(each) !== isPlain);
      const isAsserted = isPlain || protocol.profile.formats === "assert";
      return { level: isAsserted ? "MUST" : "SHOULD", reason: found ?? {} };
    };
  };
}
