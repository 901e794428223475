import {
  type HttpReply,
  isObject,
  type Json,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { type LaunchPlan, launch, plansFor } from "../../../../running/scenarios/launch.ts";
import { deadlineIn, waitUntilDeadline } from "../deadline.ts";
import { ask } from "../messages.ts";
import {
  afterDeadline,
  cancel,
  idOf,
  inShort,
  isAccepted,
  outcomeOf,
  post,
  read,
  readStored,
  redAnswer,
  resolve,
  submit,
} from "../steps.ts";

export interface RaceOptions {
  /** Decides the order and the times of the starts. */
  seed: number;
  /** The number of runs of each race. */
  rounds: number;
}

const crowd = 50;
/** The milliseconds over which starts are spread: of many, of few, and around a deadline. */
const spreadMs = 12;
const wideSpread = 24;
const widestSpread = 80;

/** Simultaneous requests to a hub, again and again, in orders that a seed decides. */
export function racesOf({ seed, rounds }: RaceOptions): Scenario[] {
  return [
    {
      name: "race-keys",
      kind: "race",
      says: `of ${crowd} simultaneous submits with one key, one message is kept`,
      rules: ["AHCP-IDM-007", "AHCP-IDM-008"],
      needs: [],
      withinMs: 30_000 + rounds * 10_000,
      async play(context) {
        for (const plan of await plansFor(seed, rounds, crowd, spreadMs)) await raceKeys(context, plan);
      },
    },
    {
      name: "race-outcomes",
      kind: "race",
      says: "of an answer, a cancellation and the deadline, one wins for all readers",
      rules: ["AHCP-LIF-003", "AHCP-CAN-007", "AHCP-LIF-004"],
      needs: ["resolve"],
      withinMs: 60_000 + rounds * 60_000,
      play: (context) => raceOutcomes(context, { seed, rounds }),
    },
  ];
}

/** Submits the same message several times at once, and then different ones with one key. */
async function raceKeys(context: ScenarioContext, plan: LaunchPlan): Promise<void> {
  const message = ask(context);
  const replies = await launch(
    plan,
    Array.from({ length: crowd }, () => () => post(context, message)),
  );
  const ids = keptBy(replies);
  const rule = "AHCP-IDM-007";
  context.expect(rule, ids.length === 1, `${crowd} equal messages at once got ${ids.length} ids`);
  const unexpectedReply = replies.find((reply) => !isAccepted(reply) && reply.status !== 429);
  const whyRefused = `one of ${crowd} equal messages is refused: ${unexpectedReply === undefined ? "" : inShort(unexpectedReply)}`;
  context.expect(rule, unexpectedReply === undefined, whyRefused);
  const [id] = ids;
  if (ids.length !== 1 || id === undefined) return;
  const { title = null } = await readStored(context, id);
  context.expect(rule, title === message.title, `the stored one of ${crowd} equal messages is different: ${title}`);
  await cancel(context, id);

  const askForOthers = ask(context);
  const seed = plan.offsets.reduce((sum, offset) => (sum * 31 + offset) | 0, 7);
  const [secondPlan] = await plansFor(seed, 1, crowd, spreadMs);
  const acts = Array.from({ length: crowd }, (_, index) => () => post(context, { ...askForOthers, title: `${index}` }));
  const keptIds = keptBy(await launch(secondPlan as LaunchPlan, acts));
  const several = `of ${crowd} different messages at once under one key ${keptIds.length} were kept`;
  context.expect("AHCP-IDM-008", keptIds.length === 1, several);
  for (const each of keptIds) await cancel(context, each);
}

/** The ids of accepted messages. Throws a TargetFailure if there is none: nothing is shown then. */
function keptBy(replies: readonly HttpReply[]): string[] {
  const acceptedReplies = replies.filter(isAccepted);
  const ids = new Set(acceptedReplies.flatMap((reply) => idOf(reply) ?? []));
  const [unexpectedReply] =
    acceptedReplies.length === 0 ? replies : acceptedReplies.filter((reply) => idOf(reply) === undefined);
  if (unexpectedReply === undefined) return [...ids];
  throw new TargetFailure("errored", "submit", `a needed message is not accepted: ${inShort(unexpectedReply)}`);
}

type RaceAct = "answer" | "decline" | "cancel" | "read";

/** The observations of all parties: each claim to have won, and each outcome in a read. */
interface RaceObservations {
  claims: string[];
  read: { status: string; id: string }[];
  id: string;
}

async function raceOutcomes(context: ScenarioContext, { seed, rounds }: RaceOptions): Promise<void> {
  const races: [rule: string, acts: RaceAct[], hasDeadline: boolean][] = [
    ["AHCP-LIF-003", ["answer", "answer", "decline", "answer", "decline", "answer", "read", "read"], false],
    ["AHCP-CAN-007", ["cancel", "answer", "read", "read"], false],
    ["AHCP-LIF-004", ["answer", "read", "answer", "read"], true],
    ["AHCP-LIF-003", ["cancel", "answer", "read", "decline", "read"], true],
  ];
  const brokenRules = new Set<string>();
  for (const [number, [rule, acts, hasDeadline]] of races.entries()) {
    // Once a rule is broken, most later races would report the same fault again.
    const isIndependent = rule === "AHCP-LIF-004" && !brokenRules.has("AHCP-LIF-003");
    if (brokenRules.size > 0 && !isIndependent) break;
    for (const plan of await plansFor(
      seed + number,
      hasDeadline ? rounds : 3 * rounds,
      acts.length,
      hasDeadline ? widestSpread : wideSpread,
    )) {
      const complaint = complaintOf(await race(context, plan, acts, hasDeadline));
      context.expect(
        rule,
        complaint === undefined,
        `${acts.join(", ")}${hasDeadline ? " and the deadline" : ""} at once: ${complaint}`,
      );
      if (complaint !== undefined) brokenRules.add(rule);
    }
  }
  for (const rule of ["AHCP-CAN-007", "AHCP-LIF-004"])
    if (brokenRules.has("AHCP-LIF-003"))
      context.skip(
        rule,
        "the hub applies more than one answer to the same message, so that this race shows nothing more",
      );
}

async function race(
  context: ScenarioContext,
  plan: LaunchPlan,
  acts: readonly RaceAct[],
  hasDeadline: boolean,
): Promise<RaceObservations> {
  const deadline = hasDeadline ? await deadlineIn(context, context.has("clock") ? 3_600_000 : 2000) : undefined;
  const { id } = await submit(context, ask(context, deadline?.members));
  if (deadline !== undefined) await waitUntilDeadline(context, deadline, -40);
  const observations: RaceObservations = { claims: [], read: [], id };
  await launch(
    plan,
    acts.map((act) => () => perform(context, act, observations)),
  );
  if (hasDeadline) await afterDeadline(context, id);
  for (let times = 0; times < 2; times++) await perform(context, "read", observations);
  return observations;
}

async function perform(
  context: ScenarioContext,
  act: RaceAct,
  { claims, read: outcomes, id }: RaceObservations,
): Promise<void> {
  if (act === "read") {
    const { json } = await read(context, id);
    if (!isObject(json) || json.status === "open") return;
    outcomes.push({ status: text(json.status), id: text(outcomeOf(json).envelope.resolution_id) });
    return;
  }
  if (act === "cancel") {
    const { status, json } = await cancel(context, id);
    if (status === 200 && isObject(json) && json.status === "cancelled") claims.push("cancelled");
    return;
  }
  const ending = act === "answer" ? redAnswer : { resolution: "declined" };
  if ((await resolve(context, id, ending)).applied) claims.push(text(ending.resolution));
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The fault of a race: more than one winner, a winner that the hub denies, or reads with different ends. */
function complaintOf({ claims, read: outcomes }: RaceObservations): string | undefined {
  const [end] = outcomes.slice(-1);
  const statuses = [...new Set(outcomes.map(({ status }) => status))];
  const ids = new Set(outcomes.map((outcome) => outcome.id));
  if (claims.length > 1) return `${claims.length} parties were informed that they had won: ${claims.join(", ")}`;
  if (statuses.length > 1) return `some read ${statuses.join(", others ")}`;
  if (ids.size > 1 && ids.has("")) return "some read that it had ended without the resolution_id of a Response";
  if (ids.size > 1) return `they read ${ids.size} values of resolution_id`;
  const [winner] = claims;
  if (end === undefined) return winner === undefined ? undefined : `"${winner}" was confirmed, but the ask is open`;
  if (winner !== undefined && winner !== end.status) return `"${winner}" was confirmed, but the ask is "${end.status}"`;
  return winner === undefined && end.status !== "expired"
    ? `the ask is "${end.status}", but no party was told so`
    : undefined;
}
