import {
  type Callback,
  equal,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { confirmFor } from "./confirms.ts";
import { deadlineIn, leadTime, reach } from "./deadline.ts";
import { firstPush, judgeDue, submitDue, waitsTooLong } from "./due-messages.ts";
import { becameOf } from "./lost-messages.ts";
import { ask, confirm, input, task } from "./messages.ts";
import { bodyOf, pushNeeds, pushTo, submitPush, wholeEnvelope } from "./pushes.ts";
import {
  afterDeadline,
  cancel,
  isTaken,
  outcomeOf,
  read,
  readStored,
  redAnswer,
  resolve,
  resolveMessage,
} from "./steps.ts";
import { verifier } from "./verifier.ts";

/** A message with a pushed outcome. */
interface Pushed {
  what: string;
  id: string;
  callback: Callback;
  isCancelled?: boolean;
}

/** The milliseconds to wait for a repeated push. */
const minute = 60_000;

/** A deadline between seconds, so that a signature shows whether it covers the deadline or the whole second of its own time. */
const betweenSeconds = 400;

const comment = "<Done> \u2028 \u00e9";
const withDefault: JsonObject = { default_on_expire: "blue" };

/** How a person or an agent ends a message. */
const ends: [what: string, make: typeof ask, block: JsonObject, given: JsonObject | undefined][] = [
  ["a select that was answered", ask, {}, { ...redAnswer, comment }],
  ["a confirm that was answered", ask, confirm, { resolution: "answered", value: "approve" }],
  ["a form that was filled in", ask, input, { resolution: "answered", value: { note: "x" } }],
  ["an ask that was declined", ask, {}, { resolution: "declined", comment }],
  ["an ask that was cancelled", ask, {}, undefined],
  ["a task that was completed", task, {}, { resolution: "completed", comment }],
  ["a task that was dismissed", task, {}, { resolution: "dismissed", comment }],
];

/** Expiries: an agent that waits for a push reads nothing, so that noticing must not need a read. */
const unreadEndings: [what: string, make: typeof ask, block: JsonObject][] = [
  ["an ask that expired, without a read", ask, {}],
  ["an ask with an applied default", ask, withDefault],
  ["a form with an applied default", ask, { ...input, default_on_expire: { note: "none" } }],
  ["a task that expired", task, {}],
];

type Notice = (context: ScenarioContext, id: string) => Promise<boolean>;

/** Actions that may be the first to notice a passed deadline. Each returns whether it also changed anything else. */
const noticedEndings: [what: string, notice: Notice][] = [
  ["an ask that expired and was read", (context, id) => read(context, id).then(() => false)],
  ["an ask that expired and was cancelled too late", (context, id) => cancel(context, id).then(isTaken)],
  [
    "an ask that expired and was answered too late",
    (context, id) => resolve(context, id, redAnswer).then(({ applied }) => applied),
  ],
];

async function submitPushable(
  context: ScenarioContext,
  what: string,
  { make, more, block }: { make: typeof ask; more: JsonObject; block: JsonObject },
): Promise<Pushed> {
  const callback = await context.callback([200]);
  const to = await pushTo(context, callback.url);
  const state = block.mode === "confirm" ? {} : { state: { of: what } };
  const { id } = await submitPush(context, make(context, { ...state, ...more }, { ...block, ...to }));
  return { what, id, callback };
}

/** Ends messages in every way that needs no waiting. */
async function endMessages(context: ScenarioContext): Promise<Pushed[]> {
  const all: Pushed[] = [];
  for (const [what, make, block, given] of ends) {
    const own = block === confirm ? await confirmFor(context) : block;
    const pushed = await submitPushable(context, what, { make, more: {}, block: own });
    if (given === undefined) await cancel(context, pushed.id);
    else await resolveMessage(context, pushed.id, given);
    all.push({ ...pushed, isCancelled: given === undefined });
  }
  return all;
}

/** Lets messages expire: some alone, and some after another action, without the messages that the action changed further. */
async function expireMessages(context: ScenarioContext): Promise<{ alone: Pushed[]; told: Pushed[] }> {
  let deadline = await deadlineIn(context, 3 * leadTime(context));
  const alone: Pushed[] = [];
  const others: [pushed: Pushed, notice: Notice][] = [];
  // Each has its own time, since submitting them all may be slow.
  for (const [what, make, block] of unreadEndings) {
    deadline = await deadlineIn(context, 3 * leadTime(context), betweenSeconds);
    alone.push(await submitPushable(context, what, { make, more: deadline.members, block }));
  }
  for (const [what, notice] of noticedEndings) {
    deadline = await deadlineIn(context, 3 * leadTime(context));
    others.push([
      await submitPushable(context, what, { make: ask, more: deadline.members, block: withDefault }),
      notice,
    ]);
  }
  await reach(context, deadline, 2000);
  const told: Pushed[] = [];
  for (const [pushed, notice] of others) if (!(await notice(context, pushed.id))) told.push(pushed);
  await reach(context, deadline, 1000 + boundOf(context, "expiry"));
  for (const pushed of [...alone, ...others.map(([each]) => each)]) {
    // Another rule judges whether it expires; a reader may be the first to notice.
    const known = (await context.come(pushed.callback, 1, boundOf(context, "expiry")))
      ? "came"
      : await submitDue(context, pushed.callback);
    if (known !== "came" && (await afterDeadline(context, pushed.id)).status !== "expired") continue;
    judgeDue(context, "AHCP-DLV-002", known, `after its deadline ${pushed.what} is not pushed`);
  }
  return { alone, told };
}

/** Whether the pushed outcome equals the outcome in reads, before and now; another rule judges whether reads agree with each other. */
async function agrees(context: ScenarioContext, { what, id, callback }: Pushed, before: JsonObject): Promise<void> {
  const { envelope } = outcomeOf(await readStored(context, id));
  const [first] = callback.arrivals;
  if (first === undefined || !equal(envelope, outcomeOf(before).envelope)) return;
  const { resolution_id: _, ...said } = wholeEnvelope(envelope);
  const { resolution_id: __, ...body } = wholeEnvelope(bodyOf(first));
  const differs = Object.keys({ ...said, ...body }).filter((key) => !equal(said[key] ?? null, body[key] ?? null));
  context.expect(
    "AHCP-GET-012",
    differs.length === 0,
    `push and read of ${what} differ in ${differs.join(", ")}: ${becameOf(differs[0] && `/${differs[0]}`, body, said)}`,
    first,
  );
}

/** Whether the pushed content is a Response; another rule judges the Response in a read. */
async function isResponse(context: ScenarioContext, { what, callback }: Pushed, before: JsonObject): Promise<void> {
  const [first] = callback.arrivals;
  if (first === undefined) return;
  const [pushed, read] = await Promise.all(
    [bodyOf(first), outcomeOf(before).envelope].map((body) => context.violations("response", body)),
  );
  const [breach] = (pushed ?? []).filter(({ site }) => site !== undefined);
  if (breach !== undefined && read?.some(({ site }) => site !== undefined)) return;
  const why = `the push of ${what} is not a Response: ${breach?.at} ${breach?.why}`;
  context.expect("AHCP-DLV-001", breach === undefined, why, first);
}

/** Whether all pushes of a message have one outcome. */
function isOne(context: ScenarioContext, { what, callback }: Pushed): void {
  const first = bodyOf(callback.arrivals[0]);
  for (const arrival of callback.arrivals.slice(1)) {
    const { resolution = null, resolution_id: name = null } = bodyOf(arrival);
    const isSame = resolution === first.resolution && name === first.resolution_id;
    context.expect("AHCP-LIF-006", isSame, `of ${what} a second outcome is pushed: ${resolution}, ${name}`, arrival);
  }
}

export const endings: readonly Scenario[] = [
  {
    name: "delivery-endings",
    says: "every outcome is pushed, signed, and equal to the one in reads",
    rules: ["AHCP-DLV-002", "AHCP-DLV-001", "AHCP-SIG-001", "AHCP-SIG-003", "AHCP-GET-012", "AHCP-LIF-006"],
    needs: [...pushNeeds, "resolve"],
    withinMs: 500_000,
    waits: 60_000,
    async play(context) {
      const before = await endMessages(context);
      for (const { what, callback, isCancelled } of before) {
        // Another rule requires that a cancellation is pushed.
        if (isCancelled === true) continue;
        judgeDue(context, "AHCP-DLV-002", await submitDue(context, callback), `${what} is not pushed`);
      }
      const { alone, told } = await expireMessages(context);
      const all = [...before, ...alone];
      const [control] = all as [Pushed];
      await firstPush(context, control.callback);
      const read: JsonObject[] = [];
      for (const { id } of all) read.push(await readStored(context, id));
      // "At least once" permits twice.
      await waitsTooLong(context, control.callback, 1, minute);
      const verify = await verifier(context, control.callback);
      for (const [index, pushed] of all.entries()) {
        const [first] = pushed.callback.arrivals;
        if (pushed !== control) await verify(pushed.callback, first, `the push of ${pushed.what}`);
        await agrees(context, pushed, read[index] ?? {});
        await isResponse(context, pushed, read[index] ?? {});
      }
      for (const pushed of [...all, ...told]) isOne(context, pushed);
      context.expect("AHCP-LIF-006", true, "");
    },
  },
];
