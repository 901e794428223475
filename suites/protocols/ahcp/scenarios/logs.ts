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
import { arrives } from "./due-messages.ts";
import { ask, input } from "./messages.ts";
import { fitMessage, readPublished } from "./published.ts";
import { pushNeeds, pushTo } from "./pushes.ts";
import { post, readStored, resolveMessage, submit } from "./steps.ts";

/** A unique text that logs must not contain, with its rule and a description. */
type LogMark = [rule: string, description: string, text: string];

const sensitiveForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string", "x-ahcp-sensitive": true } }, required: ["note"] },
};

/** The milliseconds to wait for a line of a delayed log. */
const patienceMs = 2000;

/** Waits until the logs mention a message, or should. Returns their text. */
async function waitForLogs(context: ScenarioContext, id: string): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += 250) {
    const text = JSON.stringify(await context.hook("logs", {}));
    if (text.includes(id) || waitedMs >= patienceMs) return text;
    await waitInRealTime(context, 250);
  }
}

type RuleOf = (part: string) => string | undefined;

/** Makes a mark for each named part, and collects the marks that a rule forbids in the logs. */
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

/** An ask with a mark in every part that logs must omit, if the hub has room for it. */
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

/** An answered ask with marks in it and in its answer; returns its id and the marks. */
async function submitMarked(
  context: ScenarioContext,
  name: string,
  { ruleOf, more: members, request }: { ruleOf: RuleOf; more: JsonObject; request: JsonObject },
): Promise<{ id: string; marks: LogMark[] }> {
  const { marks, mark } = makeMarker(context, name, ruleOf);
  const { id } = await submit(context, await makeMarkedAsk(context, mark, members, request));
  const value = { note: mark("value") };
  await resolveMessage(context, id, { resolution: "answered", value, comment: mark("comment") });
  await readStored(context, id);
  return { id, marks };
}

/** The reactions of callbacks, and the name of each case. */
const pushes: readonly [name: string, reactions: readonly Reaction[]][] = [
  ["an-ask-that-is-pushed", [200]],
  ["an-ask-whose-push-is-refused", [400]],
  ["an-ask-whose-push-fails", [500, 200]],
];

/** The same, pushed to a callback; undefined if nothing can be pushed here. */
async function submitMarkedPush(
  context: ScenarioContext,
  name: string,
  reactions: readonly Reaction[],
  ruleOf: RuleOf,
): Promise<{ id: string; marks: LogMark[] } | undefined> {
  if (context.setting.profile === "production" || !pushNeeds.every((need) => context.has(need))) return undefined;
  try {
    const callback = await context.callback(reactions);
    const block = { ...input, ...(await pushTo(context, callback.url)) };
    const markedMessage = await submitMarked(context, name, { ruleOf, more: {}, request: block });
    await arrives(context, callback);
    return markedMessage;
  } catch (error) {
    // A hub may choose the callbacks that it serves.
    if (error instanceof TargetSkip || (error instanceof TargetFailure && error.stage === "submit")) return undefined;
    throw error;
  }
}

/** Skips the logs of a hub if its pushes could not be made here, unless it publishes that it makes none. */
async function skipUnpushed(context: ScenarioContext): Promise<void> {
  const { callback_auth_schemes: schemes } = await readPublished(context).catch((): JsonObject => ({}));
  if (Array.isArray(schemes) && schemes.length === 0) return;
  const missing = pushNeeds.filter((need) => !context.has(need));
  const why = "not every push could be made here, and the hub may log what it pushes";
  for (const rule of ["AHCP-STA-001", "AHCP-SAF-003"])
    context.skip(rule, why, missing.length === 0 ? undefined : missingNeeds(...missing));
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
      for (const [name, reactions] of pushes)
        pushedMessages.push(await submitMarkedPush(context, name, reactions, ruleOfPart));
      if (pushedMessages.includes(undefined)) await skipUnpushed(context);
      const markedMessages = [
        ...pushedMessages.filter((pushedMessage) => pushedMessage !== undefined),
        await submitMarked(context, "an-ask", { ruleOf: ruleOfPart, more: {}, request: input }),
        await submitMarked(context, "a-sensitive-ask", {
          ruleOf: ruleOfSensitiveAsk,
          more: { sensitive: true },
          request: input,
        }),
        await submitMarked(context, "an-ask-for-what-is-sensitive", {
          ruleOf: ruleOfSensitiveField,
          more: {},
          request: sensitiveForm,
        }),
      ];
      const text = await waitForLogs(context, markedMessages.at(-1)?.id ?? "");
      // A refused message has no id: it was logged before the next message.
      const refusedMessage = { id: markedMessages[0]?.id ?? "", marks: refusedMarker.marks };
      for (const { id, marks } of [refusedMessage, ...markedMessages])
        for (const [rule, description, mark] of marks) {
          const isLogged = text.includes(mark);
          // Logs that do not mention the message may be incomplete, or of something else.
          if (isLogged || text.includes(id)) context.expect(rule, !isLogged, `the logs contain ${description}`);
          else context.skip(rule, `the result of the hook "logs" does not mention the message ${id}, which was read`);
        }
    },
  },
];
