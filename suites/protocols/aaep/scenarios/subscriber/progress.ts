import type { Scenario } from "../../../../../schemas/index.ts";
import { progressCombinations } from "../producing/events.ts";
import { awaitFence, connect, sendEvent, toSubscriber } from "./session.ts";

/** Scenarios on progress events with one or several members. The events need not be presented. */
export const progressScenarios: readonly Scenario[] = [
  toSubscriber({
    name: "progress-of-each-kind",
    says: "progress may be a percentage, a step, their number, a description, or several of these",
    rules: ["AAEP-SUB-012"],
    async play(context) {
      const session = await connect(context);
      for (const progressMembers of progressCombinations("it")) {
        sendEvent(session, "progress.updated", { progress: progressMembers });
        const isAlive = await awaitFence(session);
        const why = `after progress with only ${Object.keys(progressMembers).join(", ")} nothing is presented`;
        context.expect("AAEP-SUB-012", isAlive, why);
        if (!isAlive) return;
      }
    },
  }),
];
