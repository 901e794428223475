import { isObject, type Json, type JsonObject, TargetSkip } from "../../../../../schemas/index.ts";
import { patienceMs } from "./asking.ts";
import { awaitMessage, countActions } from "./channels.ts";
import type { AgentContext, AgentScenario } from "./scenario.ts";
import { isAccepted, mustRefuse, mustWork } from "./signatures.ts";

const rule = "AHCP-STA-002";

/** Corrupts every string in a value, because it is unknown which of them is the seal. */
function corruptValue(value: Json): Json {
  if (typeof value === "string") {
    const at = Math.floor(value.length / 2);
    return `${value.slice(0, at)}${value[at] === "x" ? "y" : "x"}${value.slice(at + 1)}`;
  }
  if (Array.isArray(value)) return value.map(corruptValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, corruptValue(member)]));
}

/** States that an agent must distinguish from its own sealed state. */
const changes: readonly [description: string, change: (state: JsonObject) => JsonObject][] = [
  ["a corrupted state", (state) => corruptValue(state) as JsonObject],
  ["an unsealed state", () => ({ step: 1, note: "not sealed" })],
  ["an empty state", () => ({})],
];

async function expectReadsIgnored(context: AgentContext): Promise<void> {
  const controlMessage = await awaitMessage(context);
  if (!isObject(controlMessage.body.state)) return;
  controlMessage.hub.endMessage(controlMessage.id, controlMessage.envelope);
  if ((await countActions(context, controlMessage.envelope)) === 0) return;
  for (const [description, change] of changes) {
    const { hub, id, envelope, body } = await awaitMessage(context);
    if (!isObject(body.state)) return;
    const changedOutcome = { ...envelope, state: change(body.state) };
    hub.endMessage(id, changedOutcome);
    await context.waitUntil(() => hub.isRead(id), patienceMs);
    await context.waitUntil(() => false, 1000);
    const actionCount = (await context.actionsOn(changedOutcome))?.length ?? 0;
    context.expect(
      rule,
      actionCount === 0,
      `on an outcome with ${description} that it read it acted ${actionCount} times`,
    );
  }
}

export const sealingScenarios: readonly AgentScenario[] = [
  {
    name: "agent-state",
    says: "an agent acts only on states that it has sealed",
    rules: [rule],
    withinMs: 300_000,
    async play(context) {
      const { state } = await mustWork(context);
      if (!isObject(state))
        throw new TargetSkip('the hook "expect" returns no state, as it should for an agent that seals one');
      for (const [description, change] of changes) {
        const body = await context.outcome();
        const ownState = isObject(body.state) ? body.state : state;
        await mustRefuse(context, rule, `with ${description} and a correct signature`, {
          body: { ...body, state: change(ownState) },
        });
      }
      const { state: otherState } = await context.outcome({}, {}, "another-agent");
      if (isObject(otherState)) {
        const body = { ...(await context.outcome()), state: otherState };
        // An implementation for a single agent need not seal the agent's name.
        const why = "a push with the state that it sealed for another agent is accepted";
        context.expect(rule, !isAccepted(await context.deliverPush({ body })), why, "SHOULD");
      }
      try {
        await expectReadsIgnored(context);
      } catch (error) {
        // Pushes have already been tested. Reads are optional.
        if (!(error instanceof TargetSkip)) throw error;
      }
    },
  },
];
