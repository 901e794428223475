import type { Document, Json, Protocol, TargetAnswer } from "../../../schemas/index.ts";
import { show } from "../../text/show.ts";
import type { ShapeJudge } from "../../validate/shape.ts";

/** What is wrong with the result of a call that succeeded, if anything. */
export type OutputJudge = (result: Record<string, unknown>) => TargetAnswer["breach"];

/**
 * Holds results against an `outputSchema`, which is named by its `$id`. Only what both validators refuse, with formats as mere descriptions, is
 * a fault.
 */
export function outputJudges(protocol: Protocol): (id: string) => Promise<OutputJudge> {
  // One for all: it compiles what it needs, and knows all schemas.
  let shape: ShapeJudge | undefined;
  return async (id) => {
    const { oracleFor } = await import("../../../generators/index.ts");
    const { shapeFor } = await import("../../validate/shape.ts");
    const oracle = await oracleFor(protocol.schemas, id, "annotating");
    shape ??= await shapeFor(protocol);
    const judge = shape;
    return ({ structuredContent }) => {
      const root = `${id}#`;
      if (structuredContent === undefined)
        return { message: "its outputSchema promises structuredContent, and the result has none", site: root };
      const content = structuredContent as Json;
      if (oracle.judge(content).verdict !== "invalid") return undefined;
      const found = judge({ schema: id } as Document, content).find(({ site }) => site?.endsWith("/format") !== true);
      const { at = "", message = "", site = root } = found ?? {};
      const where = message === "" ? "" : `${at === "" ? "" : `${at} `}${message}, in `;
      return { message: `its structuredContent is not as its outputSchema says: ${where}${show(content)}`, site };
    };
  };
}
