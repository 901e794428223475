import { missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import { otherKey } from "./push.ts";
import type { AgentScenario } from "./scenario.ts";
import { isAccepted, mustAccept } from "./signatures.ts";

const rule = "AHCP-RSM-003";

export const resumingScenarios: readonly AgentScenario[] = [
  {
    name: "agent-verifies-first",
    says: "a push that does not verify uses up no nonce",
    rules: [rule],
    withinMs: 60_000,
    async play(context) {
      const usualPush = await mustAccept(context, { body: await context.outcome() });
      if (!isAccepted(usualPush)) throw new TargetSkip(`a right push is not accepted (HTTP ${usualPush.status})`);
      const stamp = context.stamp();
      const forgedPush = await context.deliverPush({
        body: await context.outcome(),
        stamp,
        key: otherKey(context.key),
      });
      // An agent that accepts everything breaks another rule.
      if (isAccepted(forgedPush)) return context.skip(rule, "a push that is signed with another key is accepted");
      const { status, actions } = await mustAccept(context, { body: await context.outcome(), stamp });
      const why = `a right push is refused (HTTP ${status}) once a forged one has come with its jti: signatures are verified first`;
      context.expect(rule, isAccepted({ status, actions }), why);
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
      const firstPush = await mustAccept(context, { body, stamp });
      if (!isAccepted(firstPush)) throw new TargetSkip(`a right push is not accepted (HTTP ${firstPush.status})`);
      if (firstPush.actions === undefined)
        throw new TargetSkip('needs the hook "acted", which is not given', missingNeeds("acted"));
      await context.deliverPush({ body });
      // Another rule judges the memory of one process.
      const isKnown = (await context.actionsOn(body))?.length === 1;
      const isUsed = !isAccepted(await context.deliverPush({ body: await context.outcome(), stamp }));
      await context.restart();
      await context.deliverPush({ body });
      const actionCount = (await context.actionsOn(body))?.length ?? 0;
      if (isKnown)
        context.expect(
          rule,
          actionCount === 1,
          `on an outcome that came again to a new process it acted ${actionCount} times`,
        );
      const isTakenAgain = isAccepted(await context.deliverPush({ body: await context.outcome(), stamp }));
      if (isUsed) context.expect(rule, !isTakenAgain, "a new process accepts a jti that the one before it has used up");
    },
  },
];
