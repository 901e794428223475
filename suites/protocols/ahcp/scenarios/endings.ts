import {
  type Callback,
  equal,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { confirmFor } from "./confirms.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { awaitDuePush, awaitFirstPush, judgeDue, morePushesArrive } from "./due-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, confirm, input, task } from "./messages.ts";
import { bodyOf, pushNeeds, pushRequestMembers, submitPush, withDefaultedMember } from "./pushes.ts";
import {
  afterDeadline,
  cancel,
  isAccepted,
  outcomeOf,
  read,
  readStored,
  redAnswer,
  resolve,
  resolveMessage,
} from "./steps.ts";
import { verifier } from "./verifier.ts";

/** A message with a push callback. */
interface PushedMessage {
  description: string;
  id: string;
  callback: Callback;
  isCancelled?: boolean;
}

/** The milliseconds to wait for a repeated push. */
const minuteMs = 60_000;

/** Deadlines are this many milliseconds after a whole second, so that a signature shows whether it covers the deadline or its own time. */
const msAfterSecond = 400;

const comment = "<Done> \u2028 \u00e9";
const withDefault: JsonObject = { default_on_expire: "blue" };

/** The ways in which a resolver or the agent ends a message. Without an ending, the agent cancels it. */
const endingCases: [
  description: string,
  createMessage: typeof ask,
  block: JsonObject,
  ending: JsonObject | undefined,
][] = [
  ["a select that was answered", ask, {}, { ...redAnswer, comment }],
  ["a confirm that was answered", ask, confirm, { resolution: "answered", value: "approve" }],
  ["a form that was filled in", ask, input, { resolution: "answered", value: { note: "x" } }],
  ["an ask that was declined", ask, {}, { resolution: "declined", comment }],
  ["an ask that was cancelled", ask, {}, undefined],
  ["a task that was completed", task, {}, { resolution: "completed", comment }],
  ["a task that was dismissed", task, {}, { resolution: "dismissed", comment }],
];

/** Expiries that the hub must notice without a read, because an agent that waits for a push does not read. */
const unreadEndings: [description: string, createMessage: typeof ask, block: JsonObject][] = [
  ["an ask that expired, without a read", ask, {}],
  ["an ask with an applied default", ask, withDefault],
  ["a form with an applied default", ask, { ...input, default_on_expire: { note: "none" } }],
  ["a task that expired", task, {}],
];

type NoticeExpiry = (context: ScenarioContext, id: string) => Promise<boolean>;

/** Actions by which the hub may notice a passed deadline. Each returns true if it ended the message instead. */
const noticedEndings: [description: string, notice: NoticeExpiry][] = [
  ["an ask that expired and was read", (context, id) => read(context, id).then(() => false)],
  ["an ask that expired and was cancelled too late", (context, id) => cancel(context, id).then(isAccepted)],
  [
    "an ask that expired and was answered too late",
    (context, id) => resolve(context, id, redAnswer).then(({ applied }) => applied),
  ],
];

async function submitPushable(
  context: ScenarioContext,
  description: string,
  { createMessage, members, block }: { createMessage: typeof ask; members: JsonObject; block: JsonObject },
): Promise<PushedMessage> {
  const callback = await context.callback([200]);
  const pushMembers = await pushRequestMembers(context, callback.url);
  const state = block.mode === "confirm" ? {} : { state: { of: description } };
  const { id } = await submitPush(
    context,
    createMessage(context, { ...state, ...members }, { ...block, ...pushMembers }),
  );
  return { description, id, callback };
}

/** Ends messages in every way that does not need a deadline. */
async function endMessages(context: ScenarioContext): Promise<PushedMessage[]> {
  const endedMessages: PushedMessage[] = [];
  for (const [description, createMessage, block, ending] of endingCases) {
    const usableBlock = block === confirm ? await confirmFor(context) : block;
    const pushedMessage = await submitPushable(context, description, {
      createMessage,
      members: {},
      block: usableBlock,
    });
    if (ending === undefined) await cancel(context, pushedMessage.id);
    else await resolveMessage(context, pushedMessage.id, ending);
    endedMessages.push({ ...pushedMessage, isCancelled: ending === undefined });
  }
  return endedMessages;
}

/** Lets messages expire: some without any request, others before an action. Omits messages that the action ended instead. */
async function expireMessages(
  context: ScenarioContext,
): Promise<{ alone: PushedMessage[]; afterAction: PushedMessage[] }> {
  let deadline = await deadlineIn(context, 3 * leadTime(context));
  const unreadMessages: PushedMessage[] = [];
  const noticedMessages: [pushedMessage: PushedMessage, notice: NoticeExpiry][] = [];
  // Each message has its own deadline, because submitting them all may be slow.
  for (const [description, createMessage, block] of unreadEndings) {
    deadline = await deadlineIn(context, 3 * leadTime(context), msAfterSecond);
    unreadMessages.push(
      await submitPushable(context, description, { createMessage, members: deadline.members, block }),
    );
  }
  for (const [description, notice] of noticedEndings) {
    deadline = await deadlineIn(context, 3 * leadTime(context));
    noticedMessages.push([
      await submitPushable(context, description, { createMessage: ask, members: deadline.members, block: withDefault }),
      notice,
    ]);
  }
  await waitUntilDeadline(context, deadline, 2000);
  const expiredDespiteAction: PushedMessage[] = [];
  for (const [pushedMessage, notice] of noticedMessages)
    if (!(await notice(context, pushedMessage.id))) expiredDespiteAction.push(pushedMessage);
  await waitUntilDeadline(context, deadline, 1000 + boundOf(context, "expiry"));
  for (const pushedMessage of [...unreadMessages, ...noticedMessages.map(([message]) => message)]) {
    // Other rules test whether the message expires. A read may be the first to notice the deadline.
    const pushState = (await context.come(pushedMessage.callback, 1, boundOf(context, "expiry")))
      ? "arrived"
      : await awaitDuePush(context, pushedMessage.callback);
    if (pushState !== "arrived" && (await afterDeadline(context, pushedMessage.id)).status !== "expired") continue;
    judgeDue(context, "AHCP-DLV-002", pushState, `after its deadline ${pushedMessage.description} is not pushed`);
  }
  return { alone: unreadMessages, afterAction: expiredDespiteAction };
}

/** Checks that the pushed outcome equals the outcome in reads. Skips this if reads differ from each other. */
async function checkSameAsRead(
  context: ScenarioContext,
  { description, id, callback }: PushedMessage,
  earlierRead: JsonObject,
): Promise<void> {
  const { envelope } = outcomeOf(await readStored(context, id));
  const [firstPush] = callback.arrivals;
  if (firstPush === undefined || !equal(envelope, outcomeOf(earlierRead).envelope)) return;
  const { resolution_id: _, ...content } = withDefaultedMember(envelope);
  const { resolution_id: __, ...body } = withDefaultedMember(bodyOf(firstPush));
  const differentNames = Object.keys({ ...content, ...body }).filter(
    (key) => !equal(content[key] ?? null, body[key] ?? null),
  );
  context.expect(
    "AHCP-GET-012",
    differentNames.length === 0,
    `push and read of ${description} differ in ${differentNames.join(", ")}: ${describeChange(differentNames[0] && `/${differentNames[0]}`, body, content)}`,
    firstPush,
  );
}

/** Checks that the pushed body is a Response. Skips this if the Response in a read is invalid too. */
async function checkIsResponse(
  context: ScenarioContext,
  { description, callback }: PushedMessage,
  earlierRead: JsonObject,
): Promise<void> {
  const [firstPush] = callback.arrivals;
  if (firstPush === undefined) return;
  const [pushViolations, readViolations] = await Promise.all(
    [bodyOf(firstPush), outcomeOf(earlierRead).envelope].map((body) => context.violations("response", body)),
  );
  const [breach] = (pushViolations ?? []).filter(({ site }) => site !== undefined);
  if (breach !== undefined && readViolations?.some(({ site }) => site !== undefined)) return;
  const why = `the push of ${description} is not a Response: ${breach?.at} ${breach?.why}`;
  context.expect("AHCP-DLV-001", breach === undefined, why, firstPush);
}

/** Checks that all pushes of a message have the same outcome. */
function checkSingleOutcome(context: ScenarioContext, { description, callback }: PushedMessage): void {
  const firstBody = bodyOf(callback.arrivals[0]);
  for (const arrival of callback.arrivals.slice(1)) {
    const { resolution = null, resolution_id: resolutionId = null } = bodyOf(arrival);
    const isSame = resolution === firstBody.resolution && resolutionId === firstBody.resolution_id;
    context.expect(
      "AHCP-LIF-006",
      isSame,
      `a second outcome of ${description} is pushed: ${resolution}, ${resolutionId}`,
      arrival,
    );
  }
}

export const endings: readonly Scenario[] = [
  {
    name: "delivery-endings",
    says: "every outcome is pushed and signed, and equals the outcome in reads",
    rules: ["AHCP-DLV-002", "AHCP-DLV-001", "AHCP-SIG-001", "AHCP-SIG-003", "AHCP-GET-012", "AHCP-LIF-006"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    waits: 60_000,
    async play(context) {
      const endedMessages = await endMessages(context);
      for (const { description, callback, isCancelled } of endedMessages) {
        // AHCP-CAN-008 requires that a cancellation is pushed.
        if (isCancelled === true) continue;
        judgeDue(context, "AHCP-DLV-002", await awaitDuePush(context, callback), `${description} is not pushed`);
      }
      const { alone: unreadMessages, afterAction: actedMessages } = await expireMessages(context);
      const pushedMessages = [...endedMessages, ...unreadMessages];
      const [firstMessage] = pushedMessages as [PushedMessage];
      await awaitFirstPush(context, firstMessage.callback);
      const storedMessages: JsonObject[] = [];
      for (const { id } of pushedMessages) storedMessages.push(await readStored(context, id));
      // Wait for repeated pushes. At-least-once delivery permits them, but not with a second outcome.
      await morePushesArrive(context, firstMessage.callback, 1, minuteMs);
      const verify = await verifier(context, firstMessage.callback);
      for (const [index, pushedMessage] of pushedMessages.entries()) {
        const [firstPush] = pushedMessage.callback.arrivals;
        if (pushedMessage !== firstMessage)
          await verify(pushedMessage.callback, firstPush, `the push of ${pushedMessage.description}`);
        await checkSameAsRead(context, pushedMessage, storedMessages[index] ?? {});
        await checkIsResponse(context, pushedMessage, storedMessages[index] ?? {});
      }
      for (const pushedMessage of [...pushedMessages, ...actedMessages]) checkSingleOutcome(context, pushedMessage);
      context.expect("AHCP-LIF-006", true, "");
    },
  },
];
