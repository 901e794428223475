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

/** A unique text, and its meaning. */
type LogMark = [rule: string, description: string, text: string];

const sensitiveForm: JsonObject = {
  ...input,
  schema: { type: "object", properties: { note: { type: "string", "x-ahcp-sensitive": true } }, required: ["note"] },
};

/** The milliseconds to wait for a line of a delayed log. */
const patienceMs = 2000;

/** The logs after they mention a message, or should. */
async function logsWith(context: ScenarioContext, id: string): Promise<string> {
  for (let waitedMs = 0; ; waitedMs += 250) {
    const text = JSON.stringify(await context.hook("logs", {}));
    if (text.includes(id) || waitedMs >= patienceMs) return text;
    await waitInRealTime(context, 250);
  }
}

type RuleOf = (part: string) => string | undefined;

/** Adds a mark to each named part that a rule forbids in the logs. */
function marker(
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
function markedAsk(
  context: ScenarioContext,
  mark: (part: string) => string,
  more: JsonObject,
  request: JsonObject,
): Promise<JsonObject> {
  const parts = [{ kind: "text", text: mark("context") }];
  const members = { ...more, state: { mark: mark("state") }, body: mark("body"), context: parts };
  return fitMessage(context, ask(context, members, request));
}

/** An answered ask with marks in it and in its answer; returns its id and the marks. */
async function markMessage(
  context: ScenarioContext,
  name: string,
  { ruleOf, more: members, request }: { ruleOf: RuleOf; more: JsonObject; request: JsonObject },
): Promise<{ id: string; marks: LogMark[] }> {
  const { marks, mark } = marker(context, name, ruleOf);
  const { id } = await submit(context, await markedAsk(context, mark, members, request));
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
async function markedPush(
  context: ScenarioContext,
  name: string,
  reactions: readonly Reaction[],
  ruleOf: RuleOf,
): Promise<{ id: string; marks: LogMark[] } | undefined> {
  if (context.setting.profile === "production" || !pushNeeds.every((need) => context.has(need))) return undefined;
  try {
    const callback = await context.callback(reactions);
    const block = { ...input, ...(await pushTo(context, callback.url)) };
    const markedMessage = await markMessage(context, name, { ruleOf, more: {}, request: block });
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
      const sensitive = (part: string): string => (part === "state" ? "AHCP-STA-001" : "AHCP-SAF-004");
      const field = (part: string): string | undefined => (part === "value" ? "AHCP-SAF-004" : undefined);
      const refusedMarker = marker(context, "a-message-that-was-refused", ruleOfPart);
      await post(context, { ...(await markedAsk(context, refusedMarker.mark, {}, input)), title: 7 });
      const pushedMessages: Awaited<ReturnType<typeof markedPush>>[] = [];
      for (const [name, reactions] of pushes)
        pushedMessages.push(await markedPush(context, name, reactions, ruleOfPart));
      if (pushedMessages.includes(undefined)) await skipUnpushed(context);
      const all = [
        ...pushedMessages.filter((each) => each !== undefined),
        await markMessage(context, "an-ask", { ruleOf: ruleOfPart, more: {}, request: input }),
        await markMessage(context, "a-sensitive-ask", { ruleOf: sensitive, more: { sensitive: true }, request: input }),
        await markMessage(context, "an-ask-for-what-is-sensitive", { ruleOf: field, more: {}, request: sensitiveForm }),
      ];
      const text = await logsWith(context, all.at(-1)?.id ?? "");
      // A refused message has no id: it was logged before the next message.
      const after = { id: all[0]?.id ?? "", marks: refusedMarker.marks };
      for (const { id, marks } of [after, ...all])
        for (const [rule, description, mark] of marks) {
          const isLogged = text.includes(mark);
          // Logs without the message may be other logs, or only a part of them.
          if (isLogged || text.includes(id)) context.expect(rule, !isLogged, `the logs contain ${description}`);
          else context.skip(rule, `the result of the hook "logs" does not mention the message ${id}, which was read`);
        }
    },
  },
];
