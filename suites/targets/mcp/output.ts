import type { Json, Protocol, TargetAnswer } from "../../../schemas/index.ts";
import { show } from "../../base/text/show.ts";
import { createPromiseChecks } from "../broken-promises.ts";

/** Returns the breach by the result of a successful call, if any. */
export type OutputJudge = (result: Record<string, unknown>) => TargetAnswer["breach"];

/** Returns a function that creates a judge of results from the `$id` of an `outputSchema`. */
export function outputJudges(protocol: Protocol): (id: string) => Promise<OutputJudge> {
  const judgeOf = createPromiseChecks(protocol);
  return async (id) => {
    const judge = await judgeOf(id);
    return ({ structuredContent }) => {
      const root = `${id}#`;
      if (structuredContent === undefined)
        return { message: "its outputSchema promises structuredContent, and the result has none", site: root };
      const content = structuredContent as Json;
      const fault = judge(content);
      if (fault === undefined) return undefined;
      const { at = "", message = "", site = root } = fault.reason;
      const placeText = message === "" ? "" : `${at === "" ? "" : `${at} `}${message}, in `;
      const problem = `its structuredContent is not as its outputSchema says: ${placeText}${show(content)}`;
      return { message: problem, site, level: fault.level };
    };
  };
}
