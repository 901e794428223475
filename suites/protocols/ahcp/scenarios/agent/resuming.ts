import { missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import { otherKey } from "./push.ts";
import type { AgentScenario } from "./scenario.ts";
import { isAccepted, mustAccept } from "./signatures.ts";

const rule = "AHCP-RSM-003";

export const resumingScenarios: readonly AgentScenario[] = [
  {
    name: "agent-verifies-first",
    says: "an unverified push does not use up its nonce",
    rules: [rule],
    withinMs: 60_000,
    async play(context) {
      const usualPush = await mustAccept(context, { body: await context.outcome() });
      if (!isAccepted(usualPush)) throw new TargetSkip(`a correct push is not accepted (HTTP ${usualPush.status})`);
      const stamp = context.stamp();
      const forgedPush = await context.deliverPush({
        body: await context.outcome(),
        stamp,
        key: otherKey(context.key),
      });
      // An agent that accepts everything breaks another rule.
      if (isAccepted(forgedPush)) return context.skip(rule, "a push signed with an unknown key is accepted");
      const { status, actions } = await mustAccept(context, { body: await context.outcome(), stamp });
      const why = `a correct push is refused (HTTP ${status}) after a forged push with the same jti: verify the signature before storing the jti`;
      context.expect(rule, isAccepted({ status, actions }), why);
    },
  },
  {
    name: "agent-resumes",
    says: "an agent remembers its actions after a restart",
    rules: [rule],
    withinMs: 60_000,
    async play(context) {
      const body = await context.outcome();
      const stamp = context.stamp();
      const firstPush = await mustAccept(context, { body, stamp });
      if (!isAccepted(firstPush)) throw new TargetSkip(`a correct push is not accepted (HTTP ${firstPush.status})`);
      if (firstPush.actions === undefined)
        throw new TargetSkip('needs the hook "acted", which is not given', missingNeeds("acted"));
      await context.deliverPush({ body });
      // Other rules test whether the agent remembers without a restart.
      const remembersActions = (await context.actionsOn(body))?.length === 1;
      const remembersNonce = !isAccepted(await context.deliverPush({ body: await context.outcome(), stamp }));
      await context.restart();
      await context.deliverPush({ body });
      const actionCount = (await context.actionsOn(body))?.length ?? 0;
      if (remembersActions)
        context.expect(
          rule,
          actionCount === 1,
          `on an outcome that arrived again after a restart it acted ${actionCount} times`,
        );
      const isReused = isAccepted(await context.deliverPush({ body: await context.outcome(), stamp }));
      if (remembersNonce) context.expect(rule, !isReused, "after a restart it accepts a jti that was used before");
    },
  },
];
