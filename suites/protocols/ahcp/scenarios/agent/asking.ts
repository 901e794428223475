import { equal, isObject, type Json, type JsonObject, missingNeeds, TargetSkip } from "../../../../../schemas/index.ts";
import type { AgentRequest, SuiteHub } from "./hub.ts";
import type { AgentContext, AgentScenario } from "./scenario.ts";

/** The real milliseconds to wait for an agent, before the setting's time scale is applied. */
export const patienceMs = 15_000;
/** The maximum difference between two clocks, in milliseconds. */
const clockErrorMs = 50;

const submitsTo = ({ requests }: SuiteHub): AgentRequest[] =>
  requests.filter(({ method, path }) => method === "POST" && path === "/v1/messages");

/** Waits for the first submit of the agent. Throws a TargetSkip if none arrives. */
export async function firstSubmit(context: AgentContext, hub: SuiteHub): Promise<AgentRequest> {
  await context.waitUntil(() => submitsTo(hub).length > 0, patienceMs);
  const [firstRequest] = submitsTo(hub);
  if (firstRequest === undefined) throw new TargetSkip("the agent submits nothing when asked to");
  return firstRequest;
}

const keyOf = ({ body }: AgentRequest): Json | undefined => body?.idempotency_key;

/** The `request` of an ask or the `action` of a task; empty if there is none. */
export function blockOf(body: JsonObject): JsonObject {
  const block = body.type === "task" ? body.action : body.request;
  return isObject(block) ? block : {};
}

export const asksForPush = (body: JsonObject): boolean => {
  const { callback } = blockOf(body);
  return isObject(callback) && callback.mode === "push";
};

/** An outcome that the agent's message permits; undefined for a notify. */
function possibleOutcome(body: JsonObject): { resolution: string; value?: Json } | undefined {
  if (body.type === "task") return { resolution: "completed" };
  if (body.type !== "ask") return undefined;
  const { mode, options } = blockOf(body);
  const [option] = Array.isArray(options) ? options : [];
  if (isObject(option) && option.value !== undefined) return { resolution: "answered", value: option.value };
  return mode === "confirm" ? { resolution: "answered", value: "approve" } : { resolution: "declined" };
}

/** A Response to a message of the agent, with the state of that message. Undefined for a notify. */
export async function responseTo(context: AgentContext, id: string, body: JsonObject): Promise<JsonObject | undefined> {
  const outcome = possibleOutcome(body);
  if (outcome === undefined) return undefined;
  const { value: _, ...response } = (await context.outcome()).response as JsonObject;
  const { resolution, value } = outcome;
  const { id: name = null, run_id: run = null } = isObject(body.agent) ? body.agent : {};
  return {
    ...(await context.outcome()),
    in_reply_to: id,
    agent: { id: name, run_id: run },
    resolution,
    response: { ...response, ...(value === undefined ? {} : { value }) },
    ...(body.state === undefined ? {} : { state: body.state }),
  };
}

export const askingScenarios: readonly AgentScenario[] = [
  {
    name: "agent-envelopes",
    says: "an agent submits valid messages",
    rules: ["AHCP-CNF-004"],
    withinMs: 60_000,
    async play(context) {
      const hub = await context.hub(undefined);
      await firstSubmit(context, hub);
      await context.waitUntil(() => false, 300);
      for (const { body, text } of submitsTo(hub)) {
        const violations = body === undefined ? [] : await context.violations(body);
        const [violation] = violations.filter(({ level }) => level === "MUST");
        const reason =
          violation === undefined
            ? ""
            : `${violation.at || "it"} ${violation.why}${violation.rule ? ` (${violation.rule})` : ""}`;
        context.expect(
          "AHCP-CNF-004",
          body !== undefined,
          `the submitted message is not a JSON object: ${text.slice(0, 200)}`,
        );
        context.expect("AHCP-CNF-004", violation === undefined, `the submitted message is not valid: ${reason}`);
      }
    },
  },
  {
    name: "agent-lost",
    says: "an agent repeats an unanswered submit unchanged",
    rules: ["AHCP-IDM-014"],
    withinMs: 60_000,
    async play(context) {
      const hub = await context.hub("lost");
      const firstMessage = await firstSubmit(context, hub);
      if (keyOf(firstMessage) === undefined) throw new TargetSkip("the agent's message has no idempotency_key");
      await context.waitUntil(() => submitsTo(hub).length > 1, patienceMs);
      const [, second] = submitsTo(hub);
      context.expect("AHCP-IDM-014", second !== undefined, "after a submit without an answer it does not try again");
      if (second === undefined) return;
      const isSame = keyOf(second) === keyOf(firstMessage) && equal(second.body ?? null, firstMessage.body ?? null);
      context.expect("AHCP-IDM-014", isSame, "after a submit without an answer it sends a different key or message");
    },
  },
  {
    name: "agent-limited",
    says: "an agent waits as long as Retry-After says",
    rules: ["AHCP-LIM-006"],
    withinMs: 60_000,
    async play(context) {
      const hub = await context.hub("limited");
      const { retryAfter } = hub;
      const firstMessage = await firstSubmit(context, hub);
      // The agent waits in real time, whatever the time scale of the test.
      const startedAt = performance.now();
      while (submitsTo(hub).length < 2 && performance.now() - startedAt < (retryAfter + 2) * 1000)
        await context.waitUntil(() => submitsTo(hub).length > 1, 100);
      const [, second] = submitsTo(hub);
      const waitedMs = second === undefined ? Number.POSITIVE_INFINITY : second.at - firstMessage.answeredAt;
      const why = `asked to wait for ${retryAfter} s, it submits again after ${(waitedMs / 1000).toFixed(1)} s`;
      context.expect("AHCP-LIM-006", waitedMs >= retryAfter * 1000 - clockErrorMs, why);
      const isRetry = second !== undefined && second.body?.title === firstMessage.body?.title;
      const isSame = !isRetry || keyOf(second) === keyOf(firstMessage);
      context.expect("AHCP-LIM-006", isSame, "after the wait the same message has another key");
    },
  },
  {
    name: "agent-reads",
    says: "an agent that asks for no push reads the outcome and acts on it once",
    rules: ["AHCP-GET-013", "AHCP-GET-014"],
    withinMs: 120_000,
    async play(context) {
      const hub = await context.hub(undefined);
      const { body } = await firstSubmit(context, hub);
      const id = body === undefined ? undefined : hub.idOf(body);
      if (body === undefined || id === undefined) throw new TargetSkip("the agent's message is invalid");
      const envelope = await responseTo(context, id, body);
      if (envelope === undefined) throw new TargetSkip("the agent submits a notify, which never ends");
      const isRead = (): boolean => hub.requests.some(({ method }) => method === "GET");
      hub.endMessage(id, envelope);
      await context.waitUntil(isRead, patienceMs);
      if (asksForPush(body)) context.skip("AHCP-GET-013", "the agent asks for a push");
      else context.expect("AHCP-GET-013", isRead(), "it asks for no push, and does not read either");
      if (!isRead()) return context.skip("AHCP-GET-014", "the agent does not read");
      let actions = await context.actionsOn(envelope);
      for (let tries = 0; actions?.length === 0 && tries < 50; tries++) actions = await context.actionsOn(envelope);
      if (actions === undefined)
        return context.skip("AHCP-GET-014", 'needs the hook "acted", which is not given', missingNeeds("acted"));
      await context.waitUntil(() => false, 1000);
      const times = (await context.actionsOn(envelope))?.length ?? 0;
      context.expect("AHCP-GET-014", times === 1, `on an unsigned outcome from a read, it acted ${times} times`);
    },
  },
];
