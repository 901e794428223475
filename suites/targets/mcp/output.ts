import type { Json, JsonObject } from "../../../schemas/index.ts";
import { show } from "../../text/show.ts";

/** What is wrong with the result of a call that succeeded, if anything. */
export type OutputJudge = (result: Record<string, unknown>) => Promise<string | undefined>;

/** Holds results against an `outputSchema`. Only what both validators refuse, with formats as mere descriptions, is a fault. */
export function outputJudge(schemas: readonly JsonObject[], id: string): OutputJudge {
  let judging: Promise<(data: Json) => boolean> | undefined;
  const load = async (): Promise<(data: Json) => boolean> => {
    const { oracleFor } = await import("../../../generators/index.ts");
    const oracle = await oracleFor(schemas, id, "annotating");
    return (data) => oracle.judge(data).verdict !== "invalid";
  };
  return async ({ structuredContent }) => {
    if (structuredContent === undefined) return "its outputSchema promises structuredContent, and the result has none";
    judging ??= load();
    if ((await judging)(structuredContent as Json)) return undefined;
    return `its structuredContent is not as its outputSchema says: ${show(structuredContent)}`;
  };
}
