import { needing, type ScenarioContext, type Setting, type Skip, TargetSkip } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { knownOf } from "../subscribing/known.ts";
import type { Line } from "../subscribing/line.ts";
import { open } from "../subscribing/open.ts";
import { doneIn, effectsOf, isDone } from "./acting.ts";
import { cameAbout, lapse } from "./lapse.ts";
import { type Asked, answer, confirmation, endOf, type Task, whatIsAsked } from "./story.ts";

/**
 * How a producer goes about an action that it has to ask for, as far as that can be seen: what does not come of a reply that must not count
 * shows something only where the same comes of one that counts, and in time.
 */
export interface Conduct {
  /** It acts while its question is open; nothing that it does later then shows anything of a reply. */
  isEarly: boolean;
  /** Milliseconds after an acceptance by which its action had shown; undefined where it did not. */
  acts: number | undefined;
  /** It acts on a rejection. */
  isDefiant: boolean;
  /** How often each tool did something on one acceptance. */
  times: ReadonlyMap<string, number>;
  /** Why nothing can be said where nothing was done; undefined where it would have been seen. */
  blind: Skip | undefined;
}

/** Milliseconds in which an action is waited for that must not be carried out, at least. */
const leastWait = 50;

const known = new WeakMap<Setting, Promise<Conduct>>();

/** How the producer goes about it; found out once for each. */
export function conductOf(context: ScenarioContext): Promise<Conduct> {
  const { setting } = context;
  const found = known.get(setting) ?? seenOf(context).then(({ conduct }) => conduct);
  known.set(setting, found);
  // What could not be found out may be the next time.
  found.catch(() => known.delete(setting));
  return found;
}

/** Asks for an action three times: leaves the question open, accepts it, and rejects another. */
export async function seenOf(context: ScenarioContext): Promise<{ conduct: Conduct; asked: Asked }> {
  const line = await open(context, { name: "probing" });
  const asked = await whatIsAsked(line, context, "irreversible");
  const hold = holdOf(asked);
  const isEarly = (await cameAbout(context, hold, () => isDone(asked))) !== undefined;
  await answer(line, await confirmation(asked, "accept"));
  const longest = longestAction(context);
  // What is announced may still take its time.
  const hasEffect = async (): Promise<boolean> => ((await effectsOf(asked)) ?? []).length > 0;
  const shows = context.has("effects") ? hasEffect : (): Promise<boolean> => isDone(asked);
  const acts = isEarly ? undefined : await cameAbout(context, longest, shows);
  const isSeen = await hasEffect();
  await endOf(asked);
  const times = await doneIn(asked);
  const other = await whatIsAsked(line, context, "irreversible");
  await answer(line, await confirmation(other, "reject"));
  await endOf(other);
  const wait = waitAfter(acts);
  if (!isEarly) await lapse(context, wait);
  const isDefiant = !isEarly && (await isDone(other));
  const conduct = { isEarly, acts, isDefiant, times, blind: blindBy(context, isSeen) };
  known.set(context.setting, Promise.resolve(conduct));
  await left(line);
  return { conduct, asked };
}

/** Nobody may wait for an answer of one who has seen what it came for. */
async function left(line: Line): Promise<void> {
  line.inbox.expectEnd();
  if (line.accepted !== undefined)
    await line.send({
      ...{ type: "subscription.close", subscription_id: line.id },
      ...{ reason_code: "shutdown", reason_message: "That was all." },
    });
  line.cut();
}

/** Milliseconds for which a question is left open, to see whether anybody waits for its answer. */
export function holdOf({ context, question }: Asked): number {
  return Math.min(boundOf(context, "open-question"), (Number(question.timeout_seconds) || 0) * 500);
}

/** Milliseconds within which an action that was accepted is carried out at the latest. */
function longestAction(context: ScenarioContext): number {
  return knownOf(context).actionSeconds * 1000;
}

function blindBy(context: ScenarioContext, isSeen: boolean): Skip | undefined {
  if (isSeen) return undefined;
  const seconds = longestAction(context) / 1000;
  return context.has("effects")
    ? {
        why: `nothing was done within ${seconds} s (options.action_seconds) of an acceptance, so that nothing shows what must not be done`,
        cause: { kind: "not-shown" },
      }
    : {
        why: 'needs the hook "effects", which is not given: what is done need not be announced',
        cause: needing("effects"),
      };
}

/** Milliseconds after which what must not be done would have shown. */
function waitAfter(acts: number | undefined): number {
  return Math.max(leastWait, 2 * (acts ?? 0));
}

/** Waits as long as an action takes, or until it was carried out, and says whether it was. */
export async function isDoneInTime(asked: Asked): Promise<boolean> {
  const { acts } = await conductOf(asked.context);
  if (await isDone(asked)) return true;
  await lapse(asked.context, waitAfter(acts));
  return isDone(asked);
}

/** Starts a session and waits for its question. Skips where none is asked, and where it does not wait for the answer. */
export async function askedOf(
  line: Line,
  context: ScenarioContext,
  task: Task,
  more: Parameters<typeof whatIsAsked>[3] = {},
): Promise<Asked> {
  const isAction = task === "irreversible" || task === "reversible";
  if (isAction && (await isEarly(context, task))) throw new TargetSkip(early);
  const asked = await whatIsAsked(line, context, task, more);
  if (isAction && (await isDone(asked))) throw new TargetSkip(early);
  return asked;
}

/** Where there is no action of one kind, nothing is known of another. */
async function isEarly(context: ScenarioContext, task: Task): Promise<boolean> {
  try {
    return (await conductOf(context)).isEarly;
  } catch (error) {
    if (error instanceof TargetSkip && task === "reversible") return false;
    throw error;
  }
}

const early = "it acts before there can be an answer";
