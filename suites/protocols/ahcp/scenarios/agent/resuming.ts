import { missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import { otherKey } from "./push.ts";
import type { AgentScenario } from "./scenario.ts";
import { isTaken, mustAccept } from "./signatures.ts";

const rule = "AHCP-RSM-003";

export const resumingScenarios: readonly AgentScenario[] = [
  {
    name: "agent-verifies-first",
    says: "a push that does not verify uses up no nonce",
    rules: [rule],
    withinMs: 60_000,
    async play(context) {
      const usual = await mustAccept(context, { body: await context.outcome() });
      if (!isTaken(usual)) throw new TargetSkip(`a right push is not accepted (HTTP ${usual.status})`);
      const stamp = context.stamp();
      const forged = await context.deliver({ body: await context.outcome(), stamp, key: otherKey(context.key) });
      // An agent that accepts everything breaks another rule.
      if (isTaken(forged)) return context.skip(rule, "a push that is signed with another key is accepted");
      const { status, actions } = await mustAccept(context, { body: await context.outcome(), stamp });
      const why = `a right push is refused (HTTP ${status}) once a forged one has come with its jti: signatures are verified first`;
      context.expect(rule, isTaken({ status, actions }), why);
    },
  },
  {
    name: "agent-resumes",
    says: "a new process knows the actions of the one before it",
    rules: [rule],
    withinMs: 60_000,
    async play(context) {
      const body = await context.outcome();
      const stamp = context.stamp();
      const once = await mustAccept(context, { body, stamp });
      if (!isTaken(once)) throw new TargetSkip(`a right push is not accepted (HTTP ${once.status})`);
      if (once.actions === undefined)
        throw new TargetSkip('needs the hook "acted", which is not given', missingNeeds("acted"));
      await context.deliver({ body });
      // Another rule judges the memory of one process.
      const isKnown = (await context.acted(body))?.length === 1;
      const isUsed = !isTaken(await context.deliver({ body: await context.outcome(), stamp }));
      await context.restart();
      await context.deliver({ body });
      const times = (await context.acted(body))?.length ?? 0;
      if (isKnown)
        context.expect(rule, times === 1, `on an outcome that came again to a new process it acted ${times} times`);
      const isTakenAgain = isTaken(await context.deliver({ body: await context.outcome(), stamp }));
      if (isUsed) context.expect(rule, !isTakenAgain, "a new process accepts a jti that the one before it has used up");
    },
  },
];
