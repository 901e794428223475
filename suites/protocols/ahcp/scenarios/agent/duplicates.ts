import { type JsonObject, missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import type { AgentScenario } from "./scenario.ts";
import { isTaken, mustAccept } from "./signatures.ts";

export const duplicates: readonly AgentScenario[] = [
  {
    name: "agent-duplicates",
    says: "one outcome leads to one action, however often it arrives",
    rules: ["AHCP-DLV-010"],
    withinMs: 60_000,
    async play(context) {
      const first = await context.outcome();
      const once = await mustAccept(context, { body: first });
      if (!isTaken(once)) throw new TargetSkip(`a right push is not accepted (HTTP ${once.status})`);
      const again = await context.deliver({ body: first });
      context.expect(
        "AHCP-DLV-010",
        again.status < 500,
        `the second push of an outcome is answered with ${again.status}`,
      );
      const others: JsonObject[] = [];
      // Chance decides whether simultaneous pushes really overlap.
      for (let round = 0; round < 3; round++) {
        const other = await context.outcome();
        others.push(other);
        const all = await Promise.all(Array.from({ length: 10 }, () => mustAccept(context, { body: other })));
        const failed = all.find(({ status }) => status >= 500);
        context.expect("AHCP-DLV-010", failed === undefined, `ten pushes of one outcome at once crash the agent`);
      }
      const late = await context.outcome();
      await mustAccept(context, { body: late });
      await context.until(() => false, 1200);
      await context.deliver({ body: late });
      for (const [what, body] of [
        ["twice", first],
        ...others.map((other): [string, JsonObject] => ["ten times at once", other]),
        ["again after more than a second", late],
      ] as const) {
        const actions = await context.acted(body);
        if (actions === undefined)
          return context.skip("AHCP-DLV-010", 'needs the hook "acted", which is not given', missingNeeds("acted"));
        context.expect(
          "AHCP-DLV-010",
          actions.length === 1,
          `on an outcome that came ${what} the agent acted ${actions.length} times`,
        );
      }
    },
  },
];
