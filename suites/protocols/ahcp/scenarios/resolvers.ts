import {
  type Callback,
  type Evidence,
  equal,
  hookAnswer,
  type JsonObject,
  type Level,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { confirmFor } from "./confirms.ts";
import { morePushesArrive } from "./due-messages.ts";
import { permitEnding } from "./inbox-room.ts";
import { findChangedMember } from "./kept-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, messagesOfOtherKinds, task, tester } from "./messages.ts";
import { bodyOf, pushNeeds, pushRequestMembers, submitPush } from "./pushes.ts";
import {
  essence,
  isAccepted,
  outcomeOf,
  post,
  type ResolverAnswer,
  read,
  readAs,
  readStored,
  redAnswer,
  resolve,
  statusOf,
  submit,
} from "./steps.ts";

/** Checks that a resolution without permission is refused; over HTTP, with 403 `not_authorized`. */
function checkRefusal(
  context: ScenarioContext,
  rule: string,
  { actor, description = "an ask" }: { actor: string; description?: string | undefined },
  { applied, status, code, shown: evidence }: ResolverAnswer,
): void {
  context.expect(rule, !applied, `"${actor}" resolves ${description} without permission`, evidence);
  if (applied || status === undefined) return;
  const isExpectedRefusal = status === 403 && (code === undefined || code === "not_authorized");
  const why = `"${actor}" is refused with ${status} ${code ?? ""}, not with 403 not_authorized`;
  context.expect(rule, isExpectedRefusal, why, evidence);
}

/** Submits an ask and lets an actor try to answer it. */
async function tryToResolve(
  context: ScenarioContext,
  request: JsonObject,
  actor: string,
): Promise<{ id: string; answer: ResolverAnswer }> {
  // Earlier asks are no longer needed, and the inbox may be small.
  permitEnding(context);
  const { id } = await submit(context, ask(context, {}, request));
  return { id, answer: await resolve(context, id, { ...redAnswer, actor }) };
}

/** An ask without a list of resolvers. */
function makeUnlistedAsk(context: ScenarioContext): JsonObject {
  const message = ask(context);
  const { allowed_resolvers: _, ...request } = message.request as JsonObject;
  return { ...message, request };
}

/** Submits a message, with a callback if pushes are possible. */
async function submitPushable(
  context: ScenarioContext,
  createMessage: typeof ask,
): Promise<{ id: string; callback?: Callback | undefined }> {
  const message = createMessage(context, { body: "As it was." });
  if (!pushNeeds.every((need) => context.has(need))) return submit(context, message);
  try {
    const callback = await context.callback([200]);
    const block = await pushRequestMembers(context, callback.url);
    return { ...(await submitPush(context, createMessage(context, { body: "As it was." }, block))), callback };
  } catch (error) {
    if (error instanceof TargetSkip) return submit(context, message);
    throw error;
  }
}

/** Finds a `since` query that the hub answers with 304. Undefined without a clock, or if the hub does not answer 304. */
async function findUnchangedQuery(context: ScenarioContext, id: string): Promise<string | undefined> {
  if (!context.has("clock")) return undefined;
  await context.pass(5000);
  const query = `?since=${encodeURIComponent(new Date(await context.now()).toISOString())}`;
  await context.pass(5000);
  return (await read(context, id, "a", { query })).status === 304 ? query : undefined;
}

/** The path of a member that was not present before. */
function findAdded(before: JsonObject, after: JsonObject): string | undefined {
  const name = Object.keys(after).find((key) => !Object.hasOwn(before, key));
  return name === undefined ? undefined : `/${name}`;
}

export const resolverScenarios: readonly Scenario[] = [
  {
    name: "resolvers-identity",
    says: "the actor of an outcome is the authenticated one, not the one that a request claims",
    rules: ["AHCP-RES-001"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const ending = { ...redAnswer, claims: { actor: "human:boss" } };
      const bossOnly = { allowed_resolvers: ["human:boss"] };
      const { answer: plainAnswer } = await tryToResolve(context, bossOnly, tester);
      const bossAsk = await submit(context, ask(context, {}, bossOnly));
      const claimedAnswer = await resolve(context, bossAsk.id, ending);
      const why = `${tester} resolves a message that only human:boss may, by claiming to be human:boss`;
      // If the hub admits every actor, the claim makes no difference.
      context.expect("AHCP-RES-001", plainAnswer.applied || !claimedAnswer.applied, why, claimedAnswer.shown);
      const { id } = await submit(context, ask(context, {}, { allowed_resolvers: [tester, "human:boss"] }));
      const { applied } = await resolve(context, id, ending);
      if (!applied) return context.skip("AHCP-RES-001", "a resolution that claims another actor is refused");
      const { actor } = outcomeOf(await readStored(context, id)).inner;
      if (actor === undefined)
        return context.skip("AHCP-RES-001", "the Response does not name the actor of the answer");
      context.expect("AHCP-RES-001", actor === tester, `${tester} answered, but the actor is "${actor}"`);
    },
  },
  {
    name: "resolvers-unlisted",
    says: "without a list of resolvers, only the submitting agent may resolve",
    rules: ["AHCP-RES-002"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const ownActor = `agent:${context.agents.a}`;
      for (const actor of ["human:tester", `agent:${context.agents.a}2`]) {
        const { id } = await submit(context, makeUnlistedAsk(context));
        checkRefusal(context, "AHCP-RES-002", { actor }, await resolve(context, id, { ...redAnswer, actor }));
        const status = await statusOf(context, id);
        context.expect("AHCP-RES-002", status !== "answered", `"${actor}" has answered without permission`);
      }
      const unlisted = { allowed_resolvers: undefined as never };
      for (const [description, message, ending] of messagesOfOtherKinds(context, unlisted, await confirmFor(context))) {
        const { id } = await submit(context, message);
        checkRefusal(context, "AHCP-RES-002", { actor: tester, description }, await resolve(context, id, ending));
      }
      const { id } = await submit(context, makeUnlistedAsk(context));
      const { applied, shown: evidence } = await resolve(context, id, { ...redAnswer, actor: ownActor });
      context.expect(
        "AHCP-RES-002",
        applied,
        `if no resolver is listed, the submitter "${ownActor}" cannot resolve`,
        evidence,
      );
    },
  },
  {
    name: "resolvers-listed",
    says: "only listed resolvers may resolve",
    rules: ["AHCP-RES-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const listedResolver = { allowed_resolvers: ["human:tester"] };
      for (const actor of [`agent:${context.agents.a}`, "human:tester2", "human:test"]) {
        const { answer } = await tryToResolve(context, listedResolver, actor);
        checkRefusal(context, "AHCP-RES-003", { actor }, answer);
      }
      for (const [description, message, ending] of messagesOfOtherKinds(context, {}, await confirmFor(context))) {
        permitEnding(context);
        const { id } = await submit(context, message);
        for (const actor of ["human:tester2", `agent:${context.agents.a}`]) {
          const answer = await resolve(context, id, { ...ending, actor });
          checkRefusal(context, "AHCP-RES-003", { actor, description }, answer);
        }
      }
      const severalResolvers = { allowed_resolvers: ["agent:release-manager", tester, "human:boss"] };
      for (const actor of ["agent:another", `agent:${context.agents.a}`, "human:another"]) {
        const { answer } = await tryToResolve(context, severalResolvers, actor);
        checkRefusal(
          context,
          "AHCP-RES-003",
          { actor, description: `an ask that lists ${severalResolvers.allowed_resolvers.join(", ")},` },
          answer,
        );
      }
      const similarNames: [listedResolver: string, actor: string, level?: Level][] = [
        // The dot must not be treated as a pattern.
        ["human:test.r", "human:tester"],
        ["human:tester", "agent:tester"],
        ["human:tester", "human:tester:evil"],
        ["human:tester", "human:Tester", "SHOULD"],
        ["human:*", "human:tester", "SHOULD"],
        ["human:tester ", "human:tester", "SHOULD"],
      ];
      for (const [name, actor, level] of similarNames) {
        // A hub may refuse an unusual entry.
        if (level !== undefined && !isAccepted(await post(context, ask(context, {}, { allowed_resolvers: [name] }))))
          continue;
        const { answer } = await tryToResolve(context, { allowed_resolvers: [name] }, actor);
        context.expect(
          "AHCP-RES-003",
          !answer.applied,
          `"${actor}" resolves a message that lists "${name}"`,
          level,
          answer.shown,
        );
      }
      const { answer } = await tryToResolve(context, listedResolver, "human:tester");
      context.expect("AHCP-RES-003", answer.applied, "a listed resolver cannot resolve", answer.shown);
      const { answer: secondAnswer } = await tryToResolve(context, severalResolvers, tester);
      context.expect(
        "AHCP-RES-003",
        secondAnswer.applied,
        "the second listed resolver cannot resolve",
        secondAnswer.shown,
      );
    },
  },
  {
    name: "resolvers-empty",
    says: "with an empty list of resolvers, no one may resolve",
    rules: ["AHCP-RES-004"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const actors = ["human:tester", "human:anyone", `agent:${context.agents.a}`];
      const admittedActors: string[] = [];
      let evidence: Evidence | undefined;
      for (const actor of actors) {
        const { answer } = await tryToResolve(context, { allowed_resolvers: [] }, actor);
        if (!answer.applied) continue;
        admittedActors.push(actor);
        evidence = answer.shown;
      }
      const why = `an empty list lets ${admittedActors.join(", ")} resolve`;
      const level = admittedActors.includes("human:anyone") ? "MUST" : undefined;
      context.expect("AHCP-RES-004", admittedActors.length === 0, why, level, evidence);
    },
  },
  {
    name: "resolvers-agents",
    says: "a listed agent may resolve like a person",
    rules: ["AHCP-RES-005"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      const actor = "agent:release-manager";
      const { id, answer } = await tryToResolve(context, { allowed_resolvers: [actor] }, actor);
      context.expect("AHCP-RES-005", answer.applied, `"${actor}" is listed but cannot resolve`, answer.shown);
      if (!answer.applied) return;
      const { inner } = outcomeOf(await readStored(context, id));
      context.expect("AHCP-RES-005", inner.actor === actor, `"${actor}" answered, but the actor is "${inner.actor}"`);
    },
  },
  {
    name: "resolvers-view",
    says: "resolvers do not see the client_ref",
    rules: ["AHCP-RES-006"],
    needs: ["view"],
    withinMs: 30_000,
    async play(context) {
      for (const createMessage of [ask, task]) {
        const message = createMessage(context, { client_ref: context.fresh("canary") });
        const { id } = await submit(context, message);
        const returned = await context.hook("view", { id });
        const view = JSON.stringify(returned);
        // If the view lacks even the title, the absence of client_ref proves nothing.
        if (!view.includes(String(message.title)))
          return context.skip(
            "AHCP-RES-006",
            'the hook "view" does not return what resolvers see: not even the title',
            hookAnswer("view"),
          );
        const isShown = view.includes(String(message.client_ref));
        const why = `the client_ref of the ${message.type} ${id} is shown to resolvers`;
        context.expect("AHCP-RES-006", !isShown, why, { returned });
      }
    },
  },
  {
    name: "resolvers-refused",
    says: "a refused attempt to resolve does not change the message",
    rules: ["AHCP-RES-007"],
    needs: ["resolve"],
    withinMs: 400_000,
    waits: 10_000,
    async play(context) {
      for (const [createMessage, ending] of [
        [ask, redAnswer],
        [task, { resolution: "completed" }],
      ] as const) {
        const { id, callback } = await submitPushable(context, createMessage);
        // Read it twice, because a first read may itself change the message.
        await readStored(context, id);
        const messageBefore = await readStored(context, id);
        const since = await findUnchangedQuery(context, id);
        const refusedEnding = { ...ending, actor: "human:stranger", comment: "Not mine to say." };
        const answer = await resolve(context, id, refusedEnding);
        if (answer.applied) continue;
        const messageAfter = await readStored(context, id);
        const [essenceBefore, essenceAfter] = [essence(messageBefore), essence(messageAfter)];
        const why = `after a refused attempt, ${JSON.stringify(essenceBefore)} became ${JSON.stringify(essenceAfter)}`;
        context.expect("AHCP-RES-007", equal(essenceAfter, essenceBefore), why, answer.shown, readAs(messageAfter));
        if (!equal(essenceAfter, essenceBefore)) continue;
        const changedMember = findChangedMember(messageAfter, messageBefore) ?? findAdded(messageBefore, messageAfter);
        const whyChanged = `after a refused attempt, the ${messageBefore.type} is read with a different ${changedMember}: ${describeChange(changedMember, messageAfter, messageBefore)}`;
        context.expect(
          "AHCP-RES-007",
          changedMember === undefined,
          whyChanged,
          readAs(messageBefore),
          readAs(messageAfter),
        );
        const isChanged = since !== undefined && (await read(context, id, "a", { query: since })).status !== 304;
        const whyCounted = `a refused attempt counts as a change of the ${messageBefore.type}: a read with ?since shows it`;
        context.expect("AHCP-RES-007", !isChanged, whyCounted, "SHOULD");
        if (callback === undefined) continue;
        const hasArrived = await morePushesArrive(context, callback, 0, 5000);
        const { resolution } = bodyOf(callback.arrivals[0]);
        const whyPushed = `after a refused attempt "${resolution}" is pushed, although the ${messageBefore.type} is open`;
        context.expect("AHCP-RES-007", !hasArrived, whyPushed, answer.shown, callback.arrivals[0]);
      }
    },
  },
];
