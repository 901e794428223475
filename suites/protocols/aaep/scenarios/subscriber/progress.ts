import type { Scenario } from "../../../../../schemas/index.ts";
import { progressIn } from "../producing/events.ts";
import { awaitFence, connect, sendEvent, toSubscriber } from "./story.ts";

/** Progress with one or several members. It need not be presented. */
export const progress: readonly Scenario[] = [
  toSubscriber({
    name: "progress-of-each-kind",
    says: "progress may be a percentage, a step, their number, a description, or several of these",
    rules: ["AAEP-SUB-012"],
    async play(context) {
      const given = await connect(context);
      for (const says of progressIn("it")) {
        sendEvent(given, "progress.updated", { progress: says });
        const isUp = await awaitFence(given);
        const why = `after progress with only ${Object.keys(says).join(", ")} nothing is presented`;
        context.expect("AAEP-SUB-012", isUp, why);
        if (!isUp) return;
      }
    },
  }),
];
