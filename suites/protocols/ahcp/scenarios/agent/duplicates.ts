import { type JsonObject, missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import type { AgentScenario } from "./scenario.ts";
import { isAccepted, mustAccept } from "./signatures.ts";

export const duplicateScenarios: readonly AgentScenario[] = [
  {
    name: "agent-duplicates",
    says: "one outcome leads to one action, however often it arrives",
    rules: ["AHCP-DLV-010"],
    withinMs: 60_000,
    async play(context) {
      const firstOutcome = await context.outcome();
      const firstPush = await mustAccept(context, { body: firstOutcome });
      if (!isAccepted(firstPush)) throw new TargetSkip(`a correct push is not accepted (HTTP ${firstPush.status})`);
      const secondPush = await context.deliverPush({ body: firstOutcome });
      context.expect(
        "AHCP-DLV-010",
        secondPush.status < 500,
        `the second push of an outcome is answered with ${secondPush.status}`,
      );
      const racingOutcomes: JsonObject[] = [];
      // Whether pushes really overlap is a matter of chance, so try several times.
      for (let round = 0; round < 3; round++) {
        const outcome = await context.outcome();
        racingOutcomes.push(outcome);
        const deliveries = await Promise.all(Array.from({ length: 10 }, () => mustAccept(context, { body: outcome })));
        const crashedDelivery = deliveries.find(({ status }) => status >= 500);
        context.expect(
          "AHCP-DLV-010",
          crashedDelivery === undefined,
          `ten pushes of one outcome at once crash the agent`,
        );
      }
      const lateOutcome = await context.outcome();
      await mustAccept(context, { body: lateOutcome });
      await context.waitUntil(() => false, 1200);
      await context.deliverPush({ body: lateOutcome });
      for (const [description, body] of [
        ["twice", firstOutcome],
        ...racingOutcomes.map((outcome): [string, JsonObject] => ["ten times at once", outcome]),
        ["again after more than a second", lateOutcome],
      ] as const) {
        const actions = await context.actionsOn(body);
        if (actions === undefined)
          return context.skip("AHCP-DLV-010", 'needs the hook "acted", which is not given', missingNeeds("acted"));
        context.expect(
          "AHCP-DLV-010",
          actions.length === 1,
          `on an outcome that arrived ${description} the agent acted ${actions.length} times`,
        );
      }
    },
  },
];
