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

/** Whether a message still is as it was just after its end. */
async function checkUnchanged(
  context: ScenarioContext,
  endedMessage: FinalMessage,
  description: string,
): Promise<boolean> {
  const { word, id, before } = endedMessage;
  const now = finalParts(await readStored(context, id));
  const changedNames = Object.keys({ ...before, ...now }).filter(
    (name) => !equal(before[name] ?? null, now[name] ?? null),
  );
  const [was, is] = [before, now].map((each) => JSON.stringify(pickMembers(each, changedNames)));
  const why = `a message that was ${word} was changed by ${description}: ${was} became ${is}`;
  context.expect(ruleOf(description, endedMessage), changedNames.length === 0, why);
  return changedNames.length === 0;
}

/** Whether a message stays the same after all later requests; after the first change, others would only repeat it. */
async function checkAllLateActs(context: ScenarioContext, endedMessage: FinalMessage): Promise<boolean> {
  for (const [description, act] of lateActs) {
    await act(context, endedMessage);
    if (!(await checkUnchanged(context, endedMessage, description))) return false;
  }
  return true;
}

/** The messages with these outcomes that are unchanged in a later read. */
async function findFinal(context: ScenarioContext, all: readonly EndedMessage[]): Promise<FinalMessage[]> {
  const first = [];
  for (const endedMessage of all)
    first.push({ ...endedMessage, before: finalParts(await readStored(context, endedMessage.id)) });
  // A hub that writes whole seconds must have reached the next one.
  await context.pass(2000);
  const unchanged: FinalMessage[] = [];
  for (const each of first) {
    const { id, word, before } = each;
    if (before.status === word && equal(finalParts(await readStored(context, id)), before)) unchanged.push(each);
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
      // Each has its own time, since submitting them all may be slow.
      const makeDeadline = () => deadlineIn(context, 3 * leadTime(context));
      const endedMessage: EndedMessage[] = [];
      for (const [make, word, ending] of byResolver) {
        const message = make(context, { state: { of: word }, ...(await makeDeadline()).members });
        const { id } = await submit(context, message);
        await resolveMessage(context, id, ending);
        endedMessage.push({ word, id, message });
      }
      const askToCancel = ask(context, (await makeDeadline()).members, { default_on_expire: "blue" });
      const { id } = await submit(context, askToCancel);
      await cancel(context, id);
      endedMessage.push({ word: "cancelled", id, message: askToCancel });
      let deadline = await makeDeadline();
      const open: EndedMessage[] = [];
      for (const [make, block] of byDeadline) {
        deadline = await makeDeadline();
        const message = make(context, deadline.members, block);
        open.push({ word: "expired", id: (await submit(context, message)).id, message });
      }
      const firm: FinalMessage[] = [];
      for (const finalMessage of await findFinal(context, endedMessage))
        if (await checkAllLateActs(context, finalMessage)) firm.push(finalMessage);
      await waitUntilDeadline(context, deadline, 12_000);
      for (const finalMessage of firm) await checkUnchanged(context, finalMessage, "its deadline");
      for (const { id } of open) await afterDeadline(context, id);
      for (const finalMessage of await findFinal(context, open)) await checkAllLateActs(context, finalMessage);
    },
  },
];
