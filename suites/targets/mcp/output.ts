import type { Json, JsonObject } from "../../../schemas/index.ts";
import { show } from "../../text/show.ts";

/** What is wrong with the result of a call that succeeded, if anything. */
export type OutputJudge = (result: Record<string, unknown>) => string | undefined;

/** Holds results against an `outputSchema`. Only what both validators refuse, with formats as mere descriptions, is a fault. */
export async function outputJudge(schemas: readonly JsonObject[], id: string): Promise<OutputJudge> {
  const { oracleFor } = await import("../../../generators/index.ts");
  const oracle = await oracleFor(schemas, id, "annotating");
  return ({ structuredContent }) => {
    if (structuredContent === undefined) return "its outputSchema promises structuredContent, and the result has none";
    if (oracle.judge(structuredContent as Json).verdict !== "invalid") return undefined;
    return `its structuredContent is not as its outputSchema says: ${show(structuredContent)}`;
  };
}
