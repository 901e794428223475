import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import type { As } from "../../ahcp/scenarios/inbox-room.ts";
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

/** An ask without a list of resolvers: its submitter may resolve it. */
function ownAsk(context: ScenarioContext, more: JsonObject = {}, request: JsonObject = {}): JsonObject {
  const { request: block, ...message } = ask(context, more);
  const { allowed_resolvers: _, ...bare } = block as JsonObject;
  return { ...message, request: { ...bare, ...request } };
}

function ownTask(context: ScenarioContext): JsonObject {
  const { action, ...message } = task(context);
  const { allowed_resolvers: _, ...bare } = action as JsonObject;
  return { ...message, action: bare };
}

function resolve(context: ScenarioContext, id: string, body: JsonObject | string, as: As = "a"): Promise<HttpReply> {
  return context.send({ method: "POST", path: `${pathOf(id)}/resolve`, body, as });
}

/** Throws a TargetSkip for a hub without the endpoint, which only hubs that let agents write to each other must have. */
async function requireResolve(context: ScenarioContext): Promise<void> {
  const { id } = await submit(context, ownAsk(context));
  const reply = await resolve(context, id, answerRed);
  if (reply.status === 200) {
    context.expect("MA2H-RSV-001", true, "");
    return;
  }
  const { inter_agent: between } = await readPublished(context).catch((): JsonObject => ({}));
  const level = isObject(between) && between.enabled === true ? undefined : "SHOULD";
  const why = `the submitter of an ask without a list of resolvers does not resolve it: ${inShort(reply)}`;
  context.expect("MA2H-RSV-001", false, why, level, reply);
  throw new TargetSkip("no agent can resolve by HTTP, so that nothing more is shown");
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
  says: "an agent resolves by HTTP, under its own name, and its words come into the outcome",
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
    const isWhole = answer.id === id && answer.status === "answered" && typeof answer.resolution_id === "string";
    context.expect("MA2H-RSV-001", isWhole, `the answer lacks id, status or resolution_id: ${inShort(reply)}`, reply);
    const isSame = stored.status === "answered" && envelope.resolution_id === answer.resolution_id;
    context.expect("MA2H-RSV-001", !isWhole || isSame, "a read shows another status or resolution_id than the answer");
    const actor = `agent:${context.agents.a}`;
    context.expect("MA2H-RSV-003", inner.actor === actor, `the actor is ${JSON.stringify(inner.actor)}, not ${actor}`);
    const told = `the comment ${JSON.stringify(comment)} of the resolver comes back as ${JSON.stringify(inner.comment ?? null)}`;
    context.expect("MA2H-RSV-016", inner.comment === comment, told);
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
  // A task's outcome may lack its details altogether.
  if (!isObject(response)) return context.skip("MA2H-RSV-016", "the outcome of a task has no details");
  const isKept = JSON.stringify(response.checklist) === JSON.stringify(checklist);
  context.expect("MA2H-RSV-016", isKept, `the steps come back as ${JSON.stringify(response.checklist)}`);
}

const refusesStrangers: Scenario = {
  name: "resolving-strangers",
  says: "no other agent resolves an ask without a list, or learns that it is there",
  rules: ["MA2H-RSV-007", "MA2H-RSV-017"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    const { id } = await submit(context, ownAsk(context));
    const reply = await resolve(context, id, answerRed, "b");
    const isHeld = isClientError(reply) && (await isOpen(context, id));
    context.expect(
      "MA2H-RSV-007",
      isHeld,
      `another agent resolves an ask that is not its own: ${inShort(reply)}`,
      reply,
    );
    const unknown = await resolve(context, context.fresh("msg_unknown"), answerRed, "b");
    const isAlike = reply.status === unknown.status && codeOf(reply) === codeOf(unknown);
    const why = `a stranger gets ${inShort(reply)}, and for an unknown id ${inShort(unknown)}`;
    if (isHeld) context.expect("MA2H-RSV-017", isAlike, why, reply);
    if (!isHeld) return;
    const own = await resolve(context, id, answerRed);
    const isApplied = own.status === 200 && (await statusOf(context, id)) === "answered";
    if (own.status === 404 || own.status === 405) throw new TargetSkip("no agent can resolve by HTTP");
    context.expect("MA2H-RSV-007", isApplied, `the submitter does not resolve its own ask: ${inShort(own)}`, own);
  },
};

const refusesWrongResolves: Scenario = {
  name: "resolving-refused",
  says: "a resolve that does not fit its message or its form is refused, and the message stays open",
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
      const isHeld = isClientError(reply) && (await isOpen(context, id));
      context.expect("MA2H-RSV-011", isHeld, `a resolver makes an ask "${resolution}": ${inShort(reply)}`, reply);
    }
    const { id } = await submit(context, notify(context));
    const reply = await resolve(context, id, answerRed);
    const isHeld = isClientError(reply) && (await statusOf(context, id)) === "delivered";
    context.expect("MA2H-RSV-011", isHeld, `a notify is resolved: ${inShort(reply)}`, reply);
  },
};

async function judgeRefusedValues(context: ScenarioContext): Promise<void> {
  const cases: [what: string, message: JsonObject, body: JsonObject][] = [
    ["an ask is completed", ownAsk(context), { resolution: "completed" }],
    ["a task is answered", ownTask(context), answerRed],
    ["a value is none of the options", ownAsk(context), { ...answerRed, value: "green" }],
    [
      "a confirm is answered with maybe",
      ownAsk(context, {}, { mode: "confirm", options: undefined as never }),
      { ...answerRed, value: "maybe" },
    ],
  ];
  for (const [what, message, body] of cases) {
    const { id } = await submit(context, message);
    const reply = await resolve(context, id, body);
    const isFitting = reply.status === 422 && [undefined, "invalid_field"].includes(codeOf(reply));
    const why = `${what}, and that is not refused with 422 invalid_field: ${inShort(reply)}`;
    context.expect("MA2H-RSV-009", isFitting, why, reply);
    context.expect("MA2H-RSV-009", await isOpen(context, id), `${what}, and the message does not stay open`);
  }
}

async function judgeRefusedForms(context: ScenarioContext): Promise<void> {
  const cases: [what: string, body: JsonObject | string][] = [
    ["an answer has no value", { resolution: "answered" }],
    ["a refusal has a value", { resolution: "declined", value: "red" }],
    ["the value is a number", { resolution: "answered", value: 5 }],
    ["no resolution is named", { value: "red" }],
    ["the body is not JSON", "{"],
  ];
  for (const [what, body] of cases) {
    const { id } = await submit(context, ownAsk(context));
    const reply = await resolve(context, id, body);
    const isFitting = reply.status === 400 || reply.status === 422;
    context.expect("MA2H-RSV-010", isFitting, `${what}, and that is not refused with 400: ${inShort(reply)}`, reply);
    context.expect("MA2H-RSV-010", await isOpen(context, id), `${what}, and the ask does not stay open`);
  }
}

const refusesLateResolve: Scenario = {
  name: "resolving-late",
  says: "a message that has ended is not resolved again, and the resolver learns how it ended",
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
      context.expect("MA2H-RSV-012", isSame, `an ask that was ${status} has another outcome after a late resolve`);
    }
  },
};

function judgeLate(
  context: ScenarioContext,
  reply: HttpReply,
  { id = null, status = null, response }: JsonObject,
): void {
  const name = isObject(response) ? (response.resolution_id ?? null) : null;
  const shown = inShort(reply);
  if (reply.status === 200) {
    const isOld = reply.text.includes(String(name)) && reply.text.includes(String(status));
    const why = `a resolve of an ask that is ${status} is answered as if it counted: ${shown}`;
    context.expect("MA2H-RSV-012", false, why, isOld ? "SHOULD" : undefined, reply);
    return;
  }
  const isFitting = reply.status === 409 && codeOf(reply) === "already_terminal";
  const why = `a resolve of an ask that is ${status} is not refused with 409 already_terminal: ${shown}`;
  context.expect("MA2H-RSV-012", isFitting, why, reply);
  const isTold = hasMembers(reply, { id, status, resolution: status });
  if (isFitting)
    context.expect("MA2H-RSV-012", isTold, `the refusal does not say that the ask is ${status}: ${shown}`, reply);
}

const oneResolverWins: Scenario = {
  name: "resolving-race",
  says: "of several resolvers at once one succeeds, and the others learn what it was",
  rules: ["MA2H-RSV-013", "MA2H-RSV-001"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    await requireResolve(context);
    for (let round = 0; round < 8; round++) {
      const { id } = await submit(context, ownAsk(context));
      const bodies = [answerRed, { ...answerRed, value: "blue" }, { resolution: "declined" }, answerRed];
      const replies = await Promise.all(bodies.map((body) => resolve(context, id, body)));
      const won = replies.filter(({ status }) => status === 200);
      context.expect("MA2H-RSV-013", won.length === 1, `${won.length} of four resolvers at once succeed`, won[0]);
      const { envelope } = outcomeOf(await readStored(context, id));
      const [first] = won;
      const named = isObject(first?.json) ? first.json.resolution_id : undefined;
      const isNamed = won.length !== 1 || named === envelope.resolution_id;
      context.expect("MA2H-RSV-013", isNamed, "the resolver that succeeds names another outcome than a read", first);
      if (won.length !== 1) return;
    }
  },
};

const listedAgentResolves: Scenario = {
  name: "resolving-listed",
  says: "another agent that an ask lists resolves it by HTTP, and learns nothing of its submitter's own",
  rules: ["MA2H-RSV-001", "MA2H-RSV-015"],
  needs: ["second-credential"],
  withinMs: 30_000,
  async play(context) {
    await requireResolve(context);
    const [secret, ref] = [context.fresh("state"), context.fresh("ref")];
    const block = { allowed_resolvers: [`agent:${context.agents.b}`] };
    const { id } = await submit(context, ownAsk(context, { state: { secret }, client_ref: ref }, block));
    const wrong = await resolve(context, id, { ...answerRed, value: "green" }, "b");
    // Another rule judges a hub that accepts any value.
    const reply = wrong.status === 200 ? wrong : await resolve(context, id, answerRed, "b");
    const late = await resolve(context, id, answerRed, "b");
    const why = `an agent that an ask lists does not resolve it: ${inShort(reply)}`;
    context.expect("MA2H-RSV-001", reply.status === 200, why, reply);
    if (reply.status !== 200) context.skip("MA2H-RSV-015", "the agent that the ask lists does not resolve it");
    for (const httpReply of reply.status === 200 ? [wrong, reply, late] : []) {
      const leaked = [
        ...(httpReply.text.includes(secret) ? ["state"] : []),
        ...(httpReply.text.includes(ref) ? ["client_ref"] : []),
      ];
      const told = `the answer to a resolver has the submitter's ${leaked.join(" and ")}: ${inShort(httpReply)}`;
      context.expect("MA2H-RSV-015", leaked.length === 0, told, httpReply);
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
