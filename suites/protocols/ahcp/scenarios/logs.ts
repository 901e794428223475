import {
  type JsonObject,
  missingNeeds,
  type Reaction,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { waitInRealTime } from "./deadline.ts";
import { pushArrives } from "./due-messages.ts";
import { ask, input } from "./messages.ts";
import { fitMessage, readPublished } from "./published.ts";
import { pushNeeds, pushRequestMembers } from "./pushes.ts";
import { post, readStored, resolveMessage, submit } from "./steps.ts";

/** A unique string that logs must not contain, with its rule and a description. */
type LogMark = [rule: string, description: string, text: string];

const sensitiveForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string", "x-ahcp-sensitive": true } }, required: ["note"] },
};

/** The milliseconds to wait for a delayed log line. */
const patienceMs = 2000;

/** Waits until the logs mention a message, or until the time is over. Returns the text of the logs. */
async function waitForLogs(context: ScenarioContext, id: string): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += 250) {
    const text = JSON.stringify(await context.hook("logs", {}));
    if (text.includes(id) || waitedMs >= patienceMs) return text;
    await waitInRealTime(context, 250);
  }
}

type RuleOf = (part: string) => string | undefined;

/** Creates marks for the parts of a message, and collects those that a rule forbids in the logs. */
function makeMarker(
  context: ScenarioContext,
  name: string,
  ruleOf: RuleOf,
): { marks: LogMark[]; mark(part: string): string } {
  const marks: LogMark[] = [];
  const mark = (part: string): string => {
    const [text, rule] = [context.fresh(`${name}-${part}`), ruleOf(part)];
    if (rule !== undefined) marks.push([rule, `the ${part} of ${name.replaceAll("-", " ")}`, text]);
    return text;
  };
  return { marks, mark };
}

/** An ask with marks in all parts that logs must omit, as far as the hub's limits permit. */
function makeMarkedAsk(
  context: ScenarioContext,
  mark: (part: string) => string,
  extraMembers: JsonObject,
  request: JsonObject,
): Promise<JsonObject> {
  const contextParts = [{ kind: "text", text: mark("context") }];
  const members = { ...extraMembers, state: { mark: mark("state") }, body: mark("body"), context: contextParts };
  return fitMessage(context, ask(context, members, request));
}

/** Submits and answers an ask with marks in it and in the answer. Returns its id and the marks. */
async function submitMarked(
  context: ScenarioContext,
  name: string,
  { ruleOf, members, request }: { ruleOf: RuleOf; members: JsonObject; request: JsonObject },
): Promise<{ id: string; marks: LogMark[] }> {
  const { marks, mark } = makeMarker(context, name, ruleOf);
  const { id } = await submit(context, await makeMarkedAsk(context, mark, members, request));
  const value = { note: mark("value") };
  await resolveMessage(context, id, { resolution: "answered", value, comment: mark("comment") });
  await readStored(context, id);
  return { id, marks };
}

/** The cases of pushed asks, with the reactions of their callbacks. */
const pushCases: readonly [name: string, reactions: readonly Reaction[]][] = [
  ["an-ask-that-is-pushed", [200]],
  ["an-ask-whose-push-is-refused", [400]],
  ["an-ask-whose-push-fails", [500, 200]],
];

/** Like `submitMarked`, for an ask that is pushed to a callback. Undefined if the hub cannot push here. */
async function submitMarkedPush(
  context: ScenarioContext,
  name: string,
  reactions: readonly Reaction[],
  ruleOf: RuleOf,
): Promise<{ id: string; marks: LogMark[] } | undefined> {
  if (context.setting.profile === "production" || !pushNeeds.every((need) => context.has(need))) return undefined;
  try {
    const callback = await context.callback(reactions);
    const block = { ...input, ...(await pushRequestMembers(context, callback.url)) };
    const markedMessage = await submitMarked(context, name, { ruleOf, members: {}, request: block });
    await pushArrives(context, callback);
    return markedMessage;
  } catch (error) {
    // A hub may refuse callbacks.
    if (error instanceof TargetSkip || (error instanceof TargetFailure && error.stage === "submit")) return undefined;
    throw error;
  }
}

/** Skips rules if the hub could not push here, because it may log what it pushes. Does not skip if it publishes that it never pushes. */
async function skipUntestedPushes(context: ScenarioContext): Promise<void> {
  const { callback_auth_schemes: schemes } = await readPublished(context).catch((): JsonObject => ({}));
  if (Array.isArray(schemes) && schemes.length === 0) return;
  const missingHooks = pushNeeds.filter((need) => !context.has(need));
  const why = "not every push could be made here, and the hub may log what it pushes";
  for (const rule of ["AHCP-STA-001", "AHCP-SAF-003"])
    context.skip(rule, why, missingHooks.length === 0 ? undefined : missingNeeds(...missingHooks));
}

export const logs: readonly Scenario[] = [
  {
    name: "logs-discreet",
    says: "logs omit the content of a message and of its answer",
    rules: ["AHCP-STA-001", "AHCP-SAF-004", "AHCP-SAF-003"],
    needs: ["resolve", "logs"],
    withinMs: 400_000,
    async play(context) {
      const ruleOfPart = (part: string): string => (part === "state" ? "AHCP-STA-001" : "AHCP-SAF-003");
      const ruleOfSensitiveAsk = (part: string): string => (part === "state" ? "AHCP-STA-001" : "AHCP-SAF-004");
      const ruleOfSensitiveField = (part: string): string | undefined =>
        part === "value" ? "AHCP-SAF-004" : undefined;
      const refusedMarker = makeMarker(context, "a-message-that-was-refused", ruleOfPart);
      await post(context, { ...(await makeMarkedAsk(context, refusedMarker.mark, {}, input)), title: 7 });
      const pushedMessages: Awaited<ReturnType<typeof submitMarkedPush>>[] = [];
      for (const [name, reactions] of pushCases)
        pushedMessages.push(await submitMarkedPush(context, name, reactions, ruleOfPart));
      if (pushedMessages.includes(undefined)) await skipUntestedPushes(context);
      const markedMessages = [
        ...pushedMessages.filter((pushedMessage) => pushedMessage !== undefined),
        await submitMarked(context, "an-ask", { ruleOf: ruleOfPart, members: {}, request: input }),
        await submitMarked(context, "a-sensitive-ask", {
          ruleOf: ruleOfSensitiveAsk,
          members: { sensitive: true },
          request: input,
        }),
        await submitMarked(context, "an-ask-with-a-sensitive-field", {
          ruleOf: ruleOfSensitiveField,
          members: {},
          request: sensitiveForm,
        }),
      ];
      const text = await waitForLogs(context, markedMessages.at(-1)?.id ?? "");
      // A refused message has no id. It is logged before the next message, so use the next message's id.
      const refusedMessage = { id: markedMessages[0]?.id ?? "", marks: refusedMarker.marks };
      for (const { id, marks } of [refusedMessage, ...markedMessages])
        for (const [rule, description, mark] of marks) {
          const isLogged = text.includes(mark);
          // Logs that do not mention the message may be incomplete, or the logs of a different program.
          if (isLogged || text.includes(id)) context.expect(rule, !isLogged, `the logs contain ${description}`);
          else context.skip(rule, `the result of the hook "logs" does not mention the message ${id}, which was read`);
        }
    },
  },
];
