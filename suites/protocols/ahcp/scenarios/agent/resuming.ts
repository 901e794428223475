import { TargetSkip } from "../../../../../schemas/index.ts";
import type { AgentScenario } from "./scenario.ts";
import { isTaken, takes } from "./signatures.ts";

const rule = "AHCP-RSM-003";

export const resuming: readonly AgentScenario[] = [
  {
    name: "agent-resumes",
    says: "a process that begins anew knows what the one before it has done",
    rules: [rule],
    withinMs: 60_000,
    async play(stage) {
      const body = await stage.outcome();
      const stamp = stage.stamp();
      const once = await takes(stage, { body, stamp });
      if (!isTaken(once)) throw new TargetSkip(`a push that is right is not taken (HTTP ${once.status})`);
      if (once.actions === undefined) throw new TargetSkip('needs the hook "acted", which is not given');
      await stage.deliver({ body });
      // What one process forgets is another rule's matter.
      const isKnown = (await stage.acted(body))?.length === 1;
      const isUsed = !isTaken(await stage.deliver({ body: await stage.outcome(), stamp }));
      await stage.restart();
      await stage.deliver({ body });
      const times = (await stage.acted(body))?.length ?? 0;
      if (isKnown)
        stage.expect(rule, times === 1, `on an outcome that came again to a new process it acted ${times} times`);
      const isTakenAgain = isTaken(await stage.deliver({ body: await stage.outcome(), stamp }));
      if (isUsed) stage.expect(rule, !isTakenAgain, "a new process takes a jti that the one before it has used up");
    },
  },
];
