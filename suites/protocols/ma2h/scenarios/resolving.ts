import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import type { CallerName } from "../../ahcp/scenarios/inbox-room.ts";
import { ask, notify, task } from "../../ahcp/scenarios/messages.ts";
import { readPublished } from "../../ahcp/scenarios/published.ts";
import {
  cancel,
  codeOf,
  inShort,
  isAccepted,
  isClientError,
  outcomeOf,
  pathOf,
  readStored,
  statusOf,
  submit,
} from "../../ahcp/scenarios/steps.ts";

const answerRed: JsonObject = { resolution: "answered", value: "red" };

/** An ask without a list of resolvers, which its submitter may resolve. */
function ownAsk(context: ScenarioContext, more: JsonObject = {}, request: JsonObject = {}): JsonObject {
  const { request: block, ...message } = ask(context, more);
  const { allowed_resolvers: _, ...openBlock } = block as JsonObject;
  return { ...message, request: { ...openBlock, ...request } };
}

/** A task without a list of resolvers, which its submitter may resolve. */
function ownTask(context: ScenarioContext): JsonObject {
  const { action, ...message } = task(context);
  const { allowed_resolvers: _, ...openAction } = action as JsonObject;
  return { ...message, action: openAction };
}

function resolve(
  context: ScenarioContext,
  id: string,
  body: JsonObject | string,
  as: CallerName = "a",
): Promise<HttpReply> {
  return context.send({ method: "POST", path: `${pathOf(id)}/resolve`, body, as });
}

/** Throws a TargetSkip for a hub without the endpoint. Only a hub that lets agents write to each other must have it. */
async function requireResolve(context: ScenarioContext): Promise<void> {
  const { id } = await submit(context, ownAsk(context));
  const reply = await resolve(context, id, answerRed);
  if (reply.status === 200) {
    context.expect("MA2H-RSV-001", true, "");
    return;
  }
  const { inter_agent: interAgent } = await readPublished(context).catch((): JsonObject => ({}));
  const level = isObject(interAgent) && interAgent.enabled === true ? undefined : "SHOULD";
  const why = `the submitter of an ask without a list of resolvers does not resolve it: ${inShort(reply)}`;
  context.expect("MA2H-RSV-001", false, why, level, reply);
  throw new TargetSkip("no agent can resolve by HTTP");
}

async function isOpen(context: ScenarioContext, id: string): Promise<boolean> {
  return (await statusOf(context, id)) === "open";
}

/** Whether an answer has these members, at the top level or inside its error. */
function hasMembers({ json }: HttpReply, values: JsonObject): boolean {
  const error = isObject(json) && isObject(json.error) ? json.error : {};
  return Object.entries(values).every(
    ([name, value]) => (isObject(json) && json[name] === value) || error[name] === value,
  );
}

const agentResolves: Scenario = {
  name: "resolving-own",
  says: "an agent resolves by HTTP under its own name, and the outcome contains its comment and checklist",
  rules: ["MA2H-RSV-001", "MA2H-RSV-003", "MA2H-RSV-016"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    await requireResolve(context);
    const comment = `${context.fresh("comment")} <b>"5 & 6"</b> it's \\n &lt; %41`;
    const { id } = await submit(context, ownAsk(context));
    const reply = await resolve(context, id, { ...answerRed, comment });
    const answer = isObject(reply.json) ? reply.json : {};
    const stored = await readStored(context, id);
    const { envelope, inner } = outcomeOf(stored);
    const isComplete = answer.id === id && answer.status === "answered" && typeof answer.resolution_id === "string";
    context.expect(
      "MA2H-RSV-001",
      isComplete,
      `the answer lacks id, status or resolution_id: ${inShort(reply)}`,
      reply,
    );
    const isSame = stored.status === "answered" && envelope.resolution_id === answer.resolution_id;
    context.expect(
      "MA2H-RSV-001",
      !isComplete || isSame,
      "a read shows another status or resolution_id than the answer",
    );
    const actor = `agent:${context.agents.a}`;
    context.expect("MA2H-RSV-003", inner.actor === actor, `the actor is ${JSON.stringify(inner.actor)}, not ${actor}`);
    const shownComment = JSON.stringify(inner.comment ?? null);
    const why = `the comment ${JSON.stringify(comment)} of the resolver is in the outcome as ${shownComment}`;
    context.expect("MA2H-RSV-016", inner.comment === comment, why);
    await judgeClaimedActor(context, actor);
    await judgeChecklist(context);
  },
};

async function judgeClaimedActor(context: ScenarioContext, actor: string): Promise<void> {
  const { id } = await submit(context, ownAsk(context));
  const reply = await resolve(context, id, { ...answerRed, actor: "human:boss" });
  if (reply.status !== 200) return context.skip("MA2H-RSV-003", "a claim of another actor is refused");
  const { inner } = outcomeOf(await readStored(context, id));
  const why = `the body claims another actor, and the outcome names ${JSON.stringify(inner.actor)}`;
  context.expect("MA2H-RSV-003", inner.actor === actor, why);
}

async function judgeChecklist(context: ScenarioContext): Promise<void> {
  const { id } = await submit(context, ownTask(context));
  const checklist = [{ text: 'Look at <b> & "c".', done: true }];
  const reply = await resolve(context, id, { resolution: "completed", checklist });
  const why = `the submitter of a task does not complete it: ${inShort(reply)}`;
  context.expect("MA2H-RSV-001", reply.status === 200, why, reply);
  if (reply.status !== 200) return;
  const { response } = outcomeOf(await readStored(context, id)).envelope;
  // The outcome of a task need not contain details.
  if (!isObject(response)) return context.skip("MA2H-RSV-016", "the outcome of a task has no details");
  const isSameChecklist = JSON.stringify(response.checklist) === JSON.stringify(checklist);
  context.expect(
    "MA2H-RSV-016",
    isSameChecklist,
    `the checklist is in the outcome as ${JSON.stringify(response.checklist)}`,
  );
}

const refusesStrangers: Scenario = {
  name: "resolving-strangers",
  says: "another agent can neither resolve an ask without a list, nor learn that it exists",
  rules: ["MA2H-RSV-007", "MA2H-RSV-017"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    const { id } = await submit(context, ownAsk(context));
    const reply = await resolve(context, id, answerRed, "b");
    const isStillOpen = isClientError(reply) && (await isOpen(context, id));
    context.expect(
      "MA2H-RSV-007",
      isStillOpen,
      `another agent resolves an ask that is not its own: ${inShort(reply)}`,
      reply,
    );
    const unknownReply = await resolve(context, context.fresh("msg_unknown"), answerRed, "b");
    const isAlike = reply.status === unknownReply.status && codeOf(reply) === codeOf(unknownReply);
    const why = `a stranger gets ${inShort(reply)}, and for an unknown id ${inShort(unknownReply)}`;
    if (isStillOpen) context.expect("MA2H-RSV-017", isAlike, why, reply);
    if (!isStillOpen) return;
    const ownReply = await resolve(context, id, answerRed);
    const isApplied = ownReply.status === 200 && (await statusOf(context, id)) === "answered";
    if (ownReply.status === 404 || ownReply.status === 405) throw new TargetSkip("no agent can resolve by HTTP");
    const whyOwn = `the submitter does not resolve its own ask: ${inShort(ownReply)}`;
    context.expect("MA2H-RSV-007", isApplied, whyOwn, ownReply);
  },
};

const refusesWrongResolves: Scenario = {
  name: "resolving-refused",
  says: "a malformed resolve, or one that does not match its message, is refused, and the message stays open",
  rules: ["MA2H-RSV-009", "MA2H-RSV-010", "MA2H-RSV-011", "MA2H-RSV-001"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await requireResolve(context);
    await judgeRefusedValues(context);
    await judgeRefusedForms(context);
    for (const resolution of ["cancelled", "expired", "released"]) {
      const { id } = await submit(context, ownAsk(context));
      const reply = await resolve(context, id, { resolution });
      const isStillOpen = isClientError(reply) && (await isOpen(context, id));
      context.expect("MA2H-RSV-011", isStillOpen, `a resolver makes an ask "${resolution}": ${inShort(reply)}`, reply);
    }
    const { id } = await submit(context, notify(context));
    const reply = await resolve(context, id, answerRed);
    const isStillDelivered = isClientError(reply) && (await statusOf(context, id)) === "delivered";
    context.expect("MA2H-RSV-011", isStillDelivered, `a notify is resolved: ${inShort(reply)}`, reply);
  },
};

async function judgeRefusedValues(context: ScenarioContext): Promise<void> {
  const cases: [description: string, message: JsonObject, body: JsonObject][] = [
    ["an ask is completed", ownAsk(context), { resolution: "completed" }],
    ["a task is answered", ownTask(context), answerRed],
    ["a value is not one of the options", ownAsk(context), { ...answerRed, value: "green" }],
    [
      "a confirm is answered with maybe",
      ownAsk(context, {}, { mode: "confirm", options: undefined as never }),
      { ...answerRed, value: "maybe" },
    ],
  ];
  for (const [description, message, body] of cases) {
    const { id } = await submit(context, message);
    const reply = await resolve(context, id, body);
    const isRefused = reply.status === 422 && [undefined, "invalid_field"].includes(codeOf(reply));
    const why = `${description}, and that is not refused with 422 invalid_field: ${inShort(reply)}`;
    context.expect("MA2H-RSV-009", isRefused, why, reply);
    context.expect("MA2H-RSV-009", await isOpen(context, id), `${description}, and the message does not stay open`);
  }
}

async function judgeRefusedForms(context: ScenarioContext): Promise<void> {
  const cases: [description: string, body: JsonObject | string][] = [
    ["an answer has no value", { resolution: "answered" }],
    ["a refusal has a value", { resolution: "declined", value: "red" }],
    ["the value is a number", { resolution: "answered", value: 5 }],
    ["no resolution is named", { value: "red" }],
    ["the body is not JSON", "{"],
  ];
  for (const [description, body] of cases) {
    const { id } = await submit(context, ownAsk(context));
    const reply = await resolve(context, id, body);
    const isRefused = reply.status === 400 || reply.status === 422;
    context.expect(
      "MA2H-RSV-010",
      isRefused,
      `${description}, and that is not refused with 400: ${inShort(reply)}`,
      reply,
    );
    context.expect("MA2H-RSV-010", await isOpen(context, id), `${description}, and the ask does not stay open`);
  }
}

const refusesLateResolve: Scenario = {
  name: "resolving-late",
  says: "a message that has ended cannot be resolved again, and the resolver learns how it ended",
  rules: ["MA2H-RSV-012", "MA2H-RSV-001"],
  needs: [],
  withinMs: 30_000,
  async play(context) {
    await requireResolve(context);
    const ends: [status: string, end: (id: string) => Promise<HttpReply>][] = [
      ["answered", (id) => resolve(context, id, answerRed)],
      ["declined", (id) => resolve(context, id, { resolution: "declined" })],
      ["cancelled", (id) => cancel(context, id)],
    ];
    for (const [status, end] of ends) {
      const { id } = await submit(context, ownAsk(context));
      if (!isAccepted(await end(id))) continue;
      const before = await readStored(context, id);
      if (before.status !== status) continue;
      const reply = await resolve(context, id, { ...answerRed, value: "blue" });
      judgeLate(context, reply, before);
      const after = await readStored(context, id);
      const isSame = JSON.stringify(outcomeOf(after).envelope) === JSON.stringify(outcomeOf(before).envelope);
      context.expect("MA2H-RSV-012", isSame, `an ask that was ${status} has a different outcome after a late resolve`);
    }
  },
};

function judgeLate(
  context: ScenarioContext,
  reply: HttpReply,
  { id = null, status = null, response }: JsonObject,
): void {
  const outcomeId = isObject(response) ? (response.resolution_id ?? null) : null;
  const replyText = inShort(reply);
  if (reply.status === 200) {
    const showsOldOutcome = reply.text.includes(String(outcomeId)) && reply.text.includes(String(status));
    const why = `a resolve of an ask that is ${status} is answered as if it were successful: ${replyText}`;
    context.expect("MA2H-RSV-012", false, why, showsOldOutcome ? "SHOULD" : undefined, reply);
    return;
  }
  const isRefused = reply.status === 409 && codeOf(reply) === "already_terminal";
  const why = `a resolve of an ask that is ${status} is not refused with 409 already_terminal: ${replyText}`;
  context.expect("MA2H-RSV-012", isRefused, why, reply);
  const namesOutcome = hasMembers(reply, { id, status, resolution: status });
  if (isRefused)
    context.expect(
      "MA2H-RSV-012",
      namesOutcome,
      `the refusal does not say that the ask is ${status}: ${replyText}`,
      reply,
    );
}

const oneResolverWins: Scenario = {
  name: "resolving-race",
  says: "only one of several simultaneous resolvers succeeds",
  rules: ["MA2H-RSV-013", "MA2H-RSV-001"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await requireResolve(context);
    for (let round = 0; round < 8; round++) {
      const { id } = await submit(context, ownAsk(context));
      const bodies = [answerRed, { ...answerRed, value: "blue" }, { resolution: "declined" }, answerRed];
      const replies = await Promise.all(bodies.map((body) => resolve(context, id, body)));
      const successes = replies.filter(({ status }) => status === 200);
      const [success] = successes;
      const whyCount = `${successes.length} of four simultaneous resolvers succeed`;
      context.expect("MA2H-RSV-013", successes.length === 1, whyCount, success);
      const { envelope } = outcomeOf(await readStored(context, id));
      const answeredId = isObject(success?.json) ? success.json.resolution_id : undefined;
      const isSameOutcome = successes.length !== 1 || answeredId === envelope.resolution_id;
      const whyOutcome = "the answer to the successful resolver names a different outcome than a read";
      context.expect("MA2H-RSV-013", isSameOutcome, whyOutcome, success);
      if (successes.length !== 1) return;
    }
  },
};

const listedAgentResolves: Scenario = {
  name: "resolving-listed",
  says: "another agent that an ask lists resolves it by HTTP, and does not see the submitter's private members",
  rules: ["MA2H-RSV-001", "MA2H-RSV-015"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    await requireResolve(context);
    const [secret, ref] = [context.fresh("state"), context.fresh("ref")];
    const block = { allowed_resolvers: [`agent:${context.agents.b}`] };
    const { id } = await submit(context, ownAsk(context, { state: { secret }, client_ref: ref }, block));
    const invalidReply = await resolve(context, id, { ...answerRed, value: "green" }, "b");
    // Another rule judges a hub that accepts any value.
    const reply = invalidReply.status === 200 ? invalidReply : await resolve(context, id, answerRed, "b");
    const lateReply = await resolve(context, id, answerRed, "b");
    const why = `an agent that an ask lists does not resolve it: ${inShort(reply)}`;
    context.expect("MA2H-RSV-001", reply.status === 200, why, reply);
    if (reply.status !== 200) context.skip("MA2H-RSV-015", "the agent that the ask lists does not resolve it");
    for (const httpReply of reply.status === 200 ? [invalidReply, reply, lateReply] : []) {
      const leakedNames = [
        ...(httpReply.text.includes(secret) ? ["state"] : []),
        ...(httpReply.text.includes(ref) ? ["client_ref"] : []),
      ];
      const whyLeaked = `the answer to a resolver has the submitter's ${leakedNames.join(" and ")}: ${inShort(httpReply)}`;
      context.expect("MA2H-RSV-015", leakedNames.length === 0, whyLeaked, httpReply);
    }
  },
};

export const resolving: readonly Scenario[] = [
  agentResolves,
  listedAgentResolves,
  refusesStrangers,
  refusesWrongResolves,
  refusesLateResolve,
  oneResolverWins,
];
