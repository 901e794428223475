import { equal, isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, task } from "./messages.ts";
import { afterDeadline, cancel, post, readStored, redAnswer, resolve, resolveMessage, submit } from "./steps.ts";

/** An ended message, with its outcome. */
interface EndedMessage {
  word: string;
  id: string;
  message: JsonObject;
}

interface FinalMessage extends EndedMessage {
  before: JsonObject;
}

/** The members of a Response, and of the resolver's content in it. A hub may add more members, which may change. */
const envelopeMembers = ["ahcp_version", "in_reply_to", "resolution_id", "agent", "resolution", "defaulted", "state"];
const responseMembers = ["value", "edited", "actor", "resolved_at", "comment"];

const conflictingMessage = "another message under its key";

function pickMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name] ?? null]] : [])),
  );
}

/** The parts of an ended message that must not change. */
function finalParts({ status = null, title = null, response }: JsonObject): JsonObject {
  const envelope = isObject(response) ? response : {};
  const content = isObject(envelope.response) ? { response: pickMembers(envelope.response, responseMembers) } : {};
  return { status, title, ...pickMembers(envelope, envelopeMembers), ...content };
}

type LateAct = (context: ScenarioContext, endedMessage: EndedMessage) => Promise<unknown>;

/** Requests about a message that has ended. */
const lateActs: [description: string, act: LateAct][] = [
  ["an answer", (context, { id }) => resolve(context, id, { ...redAnswer, value: "blue", comment: "Late." })],
  ["a refusal", (context, { id }) => resolve(context, id, { resolution: "declined", comment: "No." })],
  ["a completion", (context, { id }) => resolve(context, id, { resolution: "completed" })],
  ["a dismissal", (context, { id }) => resolve(context, id, { resolution: "dismissed" })],
  ["a cancellation", (context, { id }) => cancel(context, id)],
  ["its repetition", (context, { message }) => post(context, message)],
  [conflictingMessage, (context, { message }) => post(context, { ...message, title: context.fresh("other") })],
];

function ruleOf(description: string, { word }: EndedMessage): string {
  if (description === conflictingMessage) return "AHCP-IDM-003";
  return word === "cancelled" && description === "a cancellation" ? "AHCP-CAN-004" : "AHCP-LIF-002";
}

/** Checks that a message is the same as just after its end. */
async function checkUnchanged(
  context: ScenarioContext,
  endedMessage: FinalMessage,
  description: string,
): Promise<boolean> {
  const { word, id, before } = endedMessage;
  const current = finalParts(await readStored(context, id));
  const changedNames = Object.keys({ ...before, ...current }).filter(
    (name) => !equal(before[name] ?? null, current[name] ?? null),
  );
  const [was, is] = [before, current].map((parts) => JSON.stringify(pickMembers(parts, changedNames)));
  const why = `a message that was ${word} was changed by ${description}: ${was} became ${is}`;
  context.expect(ruleOf(description, endedMessage), changedNames.length === 0, why);
  return changedNames.length === 0;
}

/** Checks that each late request leaves a message unchanged. Stops at the first change, since others would only repeat it. */
async function checkAllLateActs(context: ScenarioContext, endedMessage: FinalMessage): Promise<boolean> {
  for (const [description, act] of lateActs) {
    await act(context, endedMessage);
    if (!(await checkUnchanged(context, endedMessage, description))) return false;
  }
  return true;
}

/** The messages that have their expected status, and are unchanged in a later read. */
async function findFinal(context: ScenarioContext, endedMessages: readonly EndedMessage[]): Promise<FinalMessage[]> {
  const candidates = [];
  for (const endedMessage of endedMessages)
    candidates.push({ ...endedMessage, before: finalParts(await readStored(context, endedMessage.id)) });
  // Long enough for a hub that writes whole seconds to show a changed time.
  await context.pass(2000);
  const unchanged: FinalMessage[] = [];
  for (const candidate of candidates) {
    const { id, word, before } = candidate;
    if (before.status === word && equal(finalParts(await readStored(context, id)), before)) unchanged.push(candidate);
    else context.skip("AHCP-LIF-002", `a message that was ${word} changes without any request: that is AHCP-GET-004`);
  }
  return unchanged;
}

const byResolver: [make: typeof ask, word: string, ending: JsonObject][] = [
  [ask, "answered", { ...redAnswer, comment: "First." }],
  [ask, "declined", { resolution: "declined" }],
  [task, "completed", { resolution: "completed" }],
  [task, "dismissed", { resolution: "dismissed" }],
];

const byDeadline: [make: typeof ask, block: JsonObject][] = [
  [ask, { default_on_expire: "blue" }],
  [ask, {}],
  [task, {}],
];

export const finality: readonly Scenario[] = [
  {
    name: "lifecycle-first",
    says: "the first end of a message is final",
    rules: ["AHCP-LIF-002", "AHCP-CAN-004", "AHCP-IDM-003"],
    needs: ["resolve"],
    withinMs: 120_000,
    waits: 40_000,
    async play(context) {
      // Each message has its own deadline, since submitting all of them may be slow.
      const makeDeadline = () => deadlineIn(context, 3 * leadTime(context));
      const endedMessages: EndedMessage[] = [];
      for (const [make, word, ending] of byResolver) {
        const message = make(context, { state: { of: word }, ...(await makeDeadline()).members });
        const { id } = await submit(context, message);
        await resolveMessage(context, id, ending);
        endedMessages.push({ word, id, message });
      }
      const askToCancel = ask(context, (await makeDeadline()).members, { default_on_expire: "blue" });
      const { id } = await submit(context, askToCancel);
      await cancel(context, id);
      endedMessages.push({ word: "cancelled", id, message: askToCancel });
      let deadline = await makeDeadline();
      const expiringMessages: EndedMessage[] = [];
      for (const [make, block] of byDeadline) {
        deadline = await makeDeadline();
        const message = make(context, deadline.members, block);
        expiringMessages.push({ word: "expired", id: (await submit(context, message)).id, message });
      }
      const stableMessages: FinalMessage[] = [];
      for (const finalMessage of await findFinal(context, endedMessages))
        if (await checkAllLateActs(context, finalMessage)) stableMessages.push(finalMessage);
      await waitUntilDeadline(context, deadline, 12_000);
      for (const finalMessage of stableMessages) await checkUnchanged(context, finalMessage, "its deadline");
      for (const { id } of expiringMessages) await afterDeadline(context, id);
      for (const finalMessage of await findFinal(context, expiringMessages))
        await checkAllLateActs(context, finalMessage);
    },
  },
];
