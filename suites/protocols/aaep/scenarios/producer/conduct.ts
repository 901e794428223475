import {
  missingNeeds,
  type ScenarioContext,
  type Setting,
  type Skip,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { producerFacts } from "../subscribing/producer-facts.ts";
import { closeMessage } from "../subscribing/request.ts";
import { doneIn, effectsOf, isDone } from "./acting.ts";
import { lapse, waitUntilDone } from "./lapse.ts";
import { type AskedSession, answer, awaitEnd, beginAskedSession, confirmation, type SessionTask } from "./story.ts";

/**
 * How a producer behaves with an action that needs confirmation. If an invalid reply has no effect, that is evidence
 * only if a valid reply has the effect, and in time.
 */
export interface ObservedConduct {
  /** Whether it acts while its question is open, so that its later actions are no evidence about a reply. */
  isEarly: boolean;
  /** Milliseconds from an acceptance to the visible action; undefined if there was none. */
  acts: number | undefined;
  /** Whether it acts after a rejection. */
  isDefiant: boolean;
  /** The number of actions of each tool after one acceptance. */
  times: ReadonlyMap<string, number>;
  /** Why a missing action is no evidence; undefined if the action would have been seen. */
  blind: Skip | undefined;
}

/** The minimum milliseconds to wait for a forbidden action. */
const leastWait = 50;

const observedConducts = new WeakMap<Setting, Promise<ObservedConduct>>();

/** The producer's behaviour, determined once for each producer. */
export function conductOf(context: ScenarioContext): Promise<ObservedConduct> {
  const { setting } = context;
  const found = observedConducts.get(setting) ?? seenOf(context).then(({ conduct }) => conduct);
  observedConducts.set(setting, found);
  // A failed observation may succeed next time.
  found.catch(() => observedConducts.delete(setting));
  return found;
}

/** Asks for an action three times: leaves the question open, accepts it, and rejects another. */
export async function seenOf(context: ScenarioContext): Promise<{ conduct: ObservedConduct; asked: AskedSession }> {
  const line = await openLine(context, { name: "probing" });
  const asked = await beginAskedSession(line, context, "irreversible");
  const hold = holdOf(asked);
  const isEarly = (await waitUntilDone(context, hold, () => isDone(asked))) !== undefined;
  await answer(line, await confirmation(asked, "accept"));
  const longest = longestAction(context);
  // An announced action may still be running.
  const hasEffect = async (): Promise<boolean> => ((await effectsOf(asked)) ?? []).length > 0;
  const shows = context.has("effects") ? hasEffect : (): Promise<boolean> => isDone(asked);
  const acts = isEarly ? undefined : await waitUntilDone(context, longest, shows);
  const isSeen = await hasEffect();
  await awaitEnd(asked);
  const times = await doneIn(asked);
  const other = await beginAskedSession(line, context, "irreversible");
  await answer(line, await confirmation(other, "reject"));
  await awaitEnd(other);
  const wait = waitAfter(acts);
  if (!isEarly) await lapse(context, wait);
  const isDefiant = !isEarly && (await isDone(other));
  const conduct = { isEarly, acts, isDefiant, times, blind: whyInvisible(context, isSeen) };
  observedConducts.set(context.setting, Promise.resolve(conduct));
  await leaveLine(line);
  return { conduct, asked };
}

/** A session should not wait for the answer of a subscriber that already has all its results. */
async function leaveLine(line: Line): Promise<void> {
  line.inbox.expectEnd();
  if (line.accepted !== undefined) await line.send(closeMessage(line.id));
  line.cut();
}

/** The milliseconds for which a question is left open, to see whether the producer waits for its answer. */
export function holdOf({ context, question }: AskedSession): number {
  return Math.min(boundOf(context, "open-question"), (Number(question.timeout_seconds) || 0) * 500);
}

/** The maximum milliseconds for carrying out an accepted action. */
export function longestAction(context: ScenarioContext): number {
  return producerFacts(context).actionSeconds * 1000;
}

function whyInvisible(context: ScenarioContext, isSeen: boolean): Skip | undefined {
  if (isSeen) return undefined;
  const seconds = longestAction(context) / 1000;
  return context.has("effects")
    ? {
        why: `nothing was done within ${seconds} s (options.action_seconds) of an acceptance, so forbidden actions cannot be detected`,
        cause: { kind: "not-shown" },
      }
    : {
        why: 'needs the hook "effects", which is not given: actions need not be announced',
        cause: missingNeeds("effects"),
      };
}

/** The milliseconds after which a forbidden action would have been visible. */
function waitAfter(acts: number | undefined): number {
  return Math.max(leastWait, 2 * (acts ?? 0));
}

/** Waits until an action was carried out, or for its usual duration; returns whether it was. */
export async function isDoneInTime(asked: AskedSession): Promise<boolean> {
  const { acts } = await conductOf(asked.context);
  if (await isDone(asked)) return true;
  await lapse(asked.context, waitAfter(acts));
  return isDone(asked);
}

/** Starts a session and waits for its question. Skips if there is no question, or if the session does not wait for the answer. */
export async function askedOf(
  line: Line,
  context: ScenarioContext,
  task: SessionTask,
  more: Parameters<typeof beginAskedSession>[3] = {},
): Promise<AskedSession> {
  const isAction = task === "irreversible" || task === "reversible";
  if (isAction && (await isEarly(context, task))) throw new TargetSkip(earlyAct);
  const asked = await beginAskedSession(line, context, task, more);
  if (isAction && (await isDone(asked))) throw new TargetSkip(earlyAct);
  return asked;
}

/** If one kind of action does not exist, the other kinds are still unknown. */
async function isEarly(context: ScenarioContext, task: SessionTask): Promise<boolean> {
  try {
    return (await conductOf(context)).isEarly;
  } catch (error) {
    if (error instanceof TargetSkip && task === "reversible") return false;
    throw error;
  }
}

const earlyAct = "it acts before an answer is possible";
