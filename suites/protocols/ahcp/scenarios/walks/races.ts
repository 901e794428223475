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
  /** Determines the order and the times of the starts. */
  seed: number;
  /** The number of runs of each race. */
  rounds: number;
}

const crowdSize = 50;
/** The starts of requests are spread over this many milliseconds: of many requests, of a few requests, and around a deadline. */
const narrowSpreadMs = 12;
const wideSpreadMs = 24;
const deadlineSpreadMs = 80;

/** Scenarios that repeatedly send simultaneous requests to a hub, in orders that the seed determines. */
export function racesOf({ seed, rounds }: RaceOptions): Scenario[] {
  return [
    {
      name: "race-keys",
      kind: "race",
      says: `${crowdSize} simultaneous submits with one key create one message`,
      rules: ["AHCP-IDM-007", "AHCP-IDM-008"],
      needs: [],
      withinMs: 30_000 + rounds * 10_000,
      async play(context) {
        for (const plan of await plansFor(seed, rounds, crowdSize, narrowSpreadMs)) await raceKeys(context, plan);
      },
    },
    {
      name: "race-outcomes",
      kind: "race",
      says: "if an answer, a cancellation and the deadline coincide, all readers see the same outcome",
      rules: ["AHCP-LIF-003", "AHCP-CAN-007", "AHCP-LIF-004"],
      needs: ["resolve"],
      withinMs: 60_000 + rounds * 60_000,
      play: (context) => raceOutcomes(context, { seed, rounds }),
    },
  ];
}

/** Submits the same message many times simultaneously, then different messages with the same key. */
async function raceKeys(context: ScenarioContext, plan: LaunchPlan): Promise<void> {
  const message = ask(context);
  const replies = await launch(
    plan,
    Array.from({ length: crowdSize }, () => () => post(context, message)),
  );
  const ids = acceptedIds(replies);
  const rule = "AHCP-IDM-007";
  context.expect(rule, ids.length === 1, `${crowdSize} equal messages at once got ${ids.length} ids`);
  const unexpectedReply = replies.find((reply) => !isAccepted(reply) && reply.status !== 429);
  const refusalText = `one of ${crowdSize} equal messages is refused: ${unexpectedReply === undefined ? "" : inShort(unexpectedReply)}`;
  context.expect(rule, unexpectedReply === undefined, refusalText);
  const [id] = ids;
  if (ids.length !== 1 || id === undefined) return;
  const { title = null } = await readStored(context, id);
  context.expect(rule, title === message.title, `the stored one of ${crowdSize} equal messages is different: ${title}`);
  await cancel(context, id);

  const baseAsk = ask(context);
  const seed = plan.offsets.reduce((sum, offset) => (sum * 31 + offset) | 0, 7);
  const [secondPlan] = await plansFor(seed, 1, crowdSize, narrowSpreadMs);
  const acts = Array.from({ length: crowdSize }, (_, index) => () => post(context, { ...baseAsk, title: `${index}` }));
  const keptIds = acceptedIds(await launch(secondPlan as LaunchPlan, acts));
  const conflictText = `${keptIds.length} of ${crowdSize} simultaneous messages with one key were kept`;
  context.expect("AHCP-IDM-008", keptIds.length === 1, conflictText);
  for (const keptId of keptIds) await cancel(context, keptId);
}

/** The ids of the accepted messages. Throws a TargetFailure if none was accepted or an acknowledgment has no id. */
function acceptedIds(replies: readonly HttpReply[]): string[] {
  const acceptedReplies = replies.filter(isAccepted);
  const ids = new Set(acceptedReplies.flatMap((reply) => idOf(reply) ?? []));
  const [unexpectedReply] =
    acceptedReplies.length === 0 ? replies : acceptedReplies.filter((reply) => idOf(reply) === undefined);
  if (unexpectedReply === undefined) return [...ids];
  throw new TargetFailure("errored", "submit", `a needed message is not accepted: ${inShort(unexpectedReply)}`);
}

type RaceAct = "answer" | "decline" | "cancel" | "read";

/** The observations of a race: the outcomes that were confirmed to a party, and those that reads showed. */
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
    // After a rule is broken, most later races would report the same fault.
    const isIndependent = rule === "AHCP-LIF-004" && !brokenRules.has("AHCP-LIF-003");
    if (brokenRules.size > 0 && !isIndependent) break;
    for (const plan of await plansFor(
      seed + number,
      hasDeadline ? rounds : 3 * rounds,
      acts.length,
      hasDeadline ? deadlineSpreadMs : wideSpreadMs,
    )) {
      const fault = faultOf(await race(context, plan, acts, hasDeadline));
      context.expect(
        rule,
        fault === undefined,
        `${acts.join(", ")}${hasDeadline ? " and the deadline" : ""} at once: ${fault}`,
      );
      if (fault !== undefined) brokenRules.add(rule);
    }
  }
  for (const rule of ["AHCP-CAN-007", "AHCP-LIF-004"])
    if (brokenRules.has("AHCP-LIF-003"))
      context.skip(rule, "the hub applies more than one answer to the same message, so this race cannot test the rule");
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
    outcomes.push({ status: stringOrEmpty(json.status), id: stringOrEmpty(outcomeOf(json).envelope.resolution_id) });
    return;
  }
  if (act === "cancel") {
    const { status, json } = await cancel(context, id);
    if (status === 200 && isObject(json) && json.status === "cancelled") claims.push("cancelled");
    return;
  }
  const ending = act === "answer" ? redAnswer : { resolution: "declined" };
  if ((await resolve(context, id, ending)).applied) claims.push(stringOrEmpty(ending.resolution));
}

function stringOrEmpty(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The fault of a race: more than one winner, a winner that reads do not show, or reads with different outcomes. */
function faultOf({ claims, read: outcomes }: RaceObservations): string | undefined {
  const [lastOutcome] = outcomes.slice(-1);
  const statuses = [...new Set(outcomes.map(({ status }) => status))];
  const ids = new Set(outcomes.map((outcome) => outcome.id));
  if (claims.length > 1) return `${claims.length} parties received a confirmation: ${claims.join(", ")}`;
  if (statuses.length > 1) return `some read ${statuses.join(", others ")}`;
  if (ids.size > 1 && ids.has("")) return "some read that it had ended without the resolution_id of a Response";
  if (ids.size > 1) return `they read ${ids.size} values of resolution_id`;
  const [winner] = claims;
  if (lastOutcome === undefined)
    return winner === undefined ? undefined : `"${winner}" was confirmed, but the ask is open`;
  if (winner !== undefined && winner !== lastOutcome.status)
    return `"${winner}" was confirmed, but the ask is "${lastOutcome.status}"`;
  return winner === undefined && lastOutcome.status !== "expired"
    ? `the ask is "${lastOutcome.status}", but no party received a confirmation`
    : undefined;
}
