import { equal, isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, task } from "./messages.ts";
import { afterDeadline, cancel, post, readStored, redAnswer, resolve, resolveMessage, submit } from "./steps.ts";

/** A message that should have this outcome. */
interface EndedMessage {
  outcome: string;
  id: string;
  message: JsonObject;
}

interface FinalMessage extends EndedMessage {
  /** Its final parts, as first read. */
  partsBefore: JsonObject;
}

/** The members of a Response and of its inner response that must not change. Additional members may. */
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
  ["a decline", (context, { id }) => resolve(context, id, { resolution: "declined", comment: "No." })],
  ["a completion", (context, { id }) => resolve(context, id, { resolution: "completed" })],
  ["a dismissal", (context, { id }) => resolve(context, id, { resolution: "dismissed" })],
  ["a cancellation", (context, { id }) => cancel(context, id)],
  ["its repetition", (context, { message }) => post(context, message)],
  [conflictingMessage, (context, { message }) => post(context, { ...message, title: context.fresh("other") })],
];

function ruleOf(description: string, { outcome }: EndedMessage): string {
  if (description === conflictingMessage) return "AHCP-IDM-003";
  return outcome === "cancelled" && description === "a cancellation" ? "AHCP-CAN-004" : "AHCP-LIF-002";
}

/** Checks that the final parts of a message are unchanged. */
async function checkUnchanged(
  context: ScenarioContext,
  endedMessage: FinalMessage,
  description: string,
): Promise<boolean> {
  const { outcome, id, partsBefore } = endedMessage;
  const current = finalParts(await readStored(context, id));
  const changedNames = Object.keys({ ...partsBefore, ...current }).filter(
    (name) => !equal(partsBefore[name] ?? null, current[name] ?? null),
  );
  const [oldText, newText] = [partsBefore, current].map((parts) => JSON.stringify(pickMembers(parts, changedNames)));
  const why = `a message that was ${outcome} was changed by ${description}: ${oldText} became ${newText}`;
  context.expect(ruleOf(description, endedMessage), changedNames.length === 0, why);
  return changedNames.length === 0;
}

/** Checks that late requests leave a message unchanged. Stops at the first change, because later checks would report it again. */
async function checkAllLateActs(context: ScenarioContext, endedMessage: FinalMessage): Promise<boolean> {
  for (const [description, act] of lateActs) {
    await act(context, endedMessage);
    if (!(await checkUnchanged(context, endedMessage, description))) return false;
  }
  return true;
}

/** Finds the messages that have the expected status and do not change between two reads. */
async function findFinalMessages(
  context: ScenarioContext,
  endedMessages: readonly EndedMessage[],
): Promise<FinalMessage[]> {
  const candidates = [];
  for (const endedMessage of endedMessages)
    candidates.push({ ...endedMessage, partsBefore: finalParts(await readStored(context, endedMessage.id)) });
  // Long enough to notice a changed time in whole seconds.
  await context.pass(2000);
  const finalMessages: FinalMessage[] = [];
  for (const candidate of candidates) {
    const { id, outcome, partsBefore } = candidate;
    if (partsBefore.status === outcome && equal(finalParts(await readStored(context, id)), partsBefore))
      finalMessages.push(candidate);
    else
      context.skip(
        "AHCP-LIF-002",
        `a message that was ${outcome} changes without any request, which breaks AHCP-GET-004`,
      );
  }
  return finalMessages;
}

const resolverEndings: [createMessage: typeof ask, outcome: string, ending: JsonObject][] = [
  [ask, "answered", { ...redAnswer, comment: "First." }],
  [ask, "declined", { resolution: "declined" }],
  [task, "completed", { resolution: "completed" }],
  [task, "dismissed", { resolution: "dismissed" }],
];

const expiringCases: [createMessage: typeof ask, block: JsonObject][] = [
  [ask, { default_on_expire: "blue" }],
  [ask, {}],
  [task, {}],
];

export const finality: readonly Scenario[] = [
  {
    name: "lifecycle-first",
    says: "the first outcome of a message is final",
    rules: ["AHCP-LIF-002", "AHCP-CAN-004", "AHCP-IDM-003"],
    needs: ["resolve"],
    withinMs: 120_000,
    waits: 40_000,
    async play(context) {
      // Each message has its own deadline, because submitting them all may be slow.
      const makeDeadline = () => deadlineIn(context, 3 * leadTime(context));
      const endedMessages: EndedMessage[] = [];
      for (const [createMessage, outcome, ending] of resolverEndings) {
        const message = createMessage(context, { state: { of: outcome }, ...(await makeDeadline()).members });
        const { id } = await submit(context, message);
        await resolveMessage(context, id, ending);
        endedMessages.push({ outcome, id, message });
      }
      const askToCancel = ask(context, (await makeDeadline()).members, { default_on_expire: "blue" });
      const { id } = await submit(context, askToCancel);
      await cancel(context, id);
      endedMessages.push({ outcome: "cancelled", id, message: askToCancel });
      let deadline = await makeDeadline();
      const expiringMessages: EndedMessage[] = [];
      for (const [createMessage, block] of expiringCases) {
        deadline = await makeDeadline();
        const message = createMessage(context, deadline.members, block);
        expiringMessages.push({ outcome: "expired", id: (await submit(context, message)).id, message });
      }
      const stableMessages: FinalMessage[] = [];
      for (const finalMessage of await findFinalMessages(context, endedMessages))
        if (await checkAllLateActs(context, finalMessage)) stableMessages.push(finalMessage);
      await waitUntilDeadline(context, deadline, 12_000);
      for (const finalMessage of stableMessages) await checkUnchanged(context, finalMessage, "its deadline");
      for (const { id } of expiringMessages) await afterDeadline(context, id);
      for (const finalMessage of await findFinalMessages(context, expiringMessages))
        await checkAllLateActs(context, finalMessage);
    },
  },
];
