import { needing, TargetSkip } from "../../../../../schemas/index.ts";
import type { AgentScenario } from "./scenario.ts";
import { isTaken, takes } from "./signatures.ts";

export const duplicates: readonly AgentScenario[] = [
  {
    name: "agent-duplicates",
    says: "one outcome leads to one action, however often it arrives",
    rules: ["AHCP-DLV-010"],
    withinMs: 60_000,
    async play(context) {
      const first = await context.outcome();
      const once = await takes(context, { body: first });
      if (!isTaken(once)) throw new TargetSkip(`a push that is right is not taken (HTTP ${once.status})`);
      const again = await context.deliver({ body: first });
      context.expect(
        "AHCP-DLV-010",
        again.status < 500,
        `the second push of an outcome is answered with ${again.status}`,
      );
      const other = await context.outcome();
      const all = await Promise.all(Array.from({ length: 10 }, () => takes(context, { body: other })));
      const failed = all.find(({ status }) => status >= 500);
      context.expect("AHCP-DLV-010", failed === undefined, `ten pushes of one outcome at once break the agent`);
      for (const [what, body] of [
        ["twice", first],
        ["ten times at once", other],
      ] as const) {
        const actions = await context.acted(body);
        if (actions === undefined)
          return context.skip("AHCP-DLV-010", 'needs the hook "acted", which is not given', needing("acted"));
        context.expect(
          "AHCP-DLV-010",
          actions.length === 1,
          `on an outcome that came ${what} the agent acted ${actions.length} times`,
        );
      }
    },
  },
];
