import { isObject, type JsonObject, missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import { asksForPush, blockOf, firstSubmit, patienceMs, responseTo } from "./asking.ts";
import type { SuiteHub } from "./hub.ts";
import type { AgentContext, AgentScenario } from "./scenario.ts";

const rule = "AHCP-DLV-012";

/** A message that the agent has submitted to the suite's hub, with the outcome that the hub will give it. */
interface PendingMessage {
  hub: SuiteHub;
  id: string;
  envelope: JsonObject;
  /** The submitted message. */
  body: JsonObject;
}

/** Lets the agent submit a message that can have an outcome. Throws a TargetSkip if no such message arrives. */
export async function awaitMessage(context: AgentContext, options?: { push: true }): Promise<PendingMessage> {
  const hub = await context.hub(undefined, options);
  const { body } = await firstSubmit(context, hub);
  const id = body === undefined ? undefined : hub.idOf(body);
  if (body === undefined || id === undefined) throw new TargetSkip("the agent's message is invalid");
  const envelope = await responseTo(context, id, body);
  if (envelope === undefined) throw new TargetSkip("the agent submits a notify, which never ends");
  return { hub, id, envelope, body };
}

/** Counts the agent's actions on an outcome, after enough time to act. Throws a TargetSkip if no hook reports them. */
export async function countActions(context: AgentContext, envelope: JsonObject): Promise<number> {
  let actions = await context.actionsOn(envelope);
  if (actions === undefined) throw new TargetSkip('needs the hook "acted", which is not given', missingNeeds("acted"));
  for (let tries = 0; actions?.length === 0 && tries < 50; tries++) actions = await context.actionsOn(envelope);
  await context.waitUntil(() => false, 1000);
  return (await context.actionsOn(envelope))?.length ?? 0;
}

function urlOf(body: JsonObject): unknown {
  const { callback } = blockOf(body);
  return isObject(callback) ? callback.url : undefined;
}

export const channelScenarios: readonly AgentScenario[] = [
  {
    name: "agent-channels",
    says: "an outcome that is both pushed and read leads to one action, in either order",
    rules: [rule],
    withinMs: 300_000,
    async play(context) {
      for (const order of ["read and then pushed", "pushed and then read"] as const) {
        const { hub, id, envelope, body } = await awaitMessage(context, { push: true });
        if (!asksForPush(body)) return context.skip(rule, "the agent asks for no push, so that it has one channel");
        if (urlOf(body) !== context.url)
          return context.skip(rule, `the agent asks for pushes to a URL other than "agent.url"`);
        const isReadFirst = order === "read and then pushed";
        const push = isReadFirst ? undefined : context.deliverPush({ body: envelope });
        hub.endMessage(id, envelope, push);
        await push;
        await context.waitUntil(() => hub.isRead(id), patienceMs);
        // An agent that has received the outcome in a push need not read it.
        if (isReadFirst && !hub.isRead(id))
          return context.skip(rule, "the agent does not read a pushed outcome, so that it has one channel");
        const actionsBefore = await countActions(context, envelope);
        if (actionsBefore === 0)
          return context.skip(rule, `on an outcome that is ${isReadFirst ? "read" : "pushed"} it does not act`);
        if (isReadFirst) await context.deliverPush({ body: envelope });
        const actionCount = await countActions(context, envelope);
        context.expect(rule, actionCount === 1, `on an outcome that was ${order} it acted ${actionCount} times`);
      }
    },
  },
];
