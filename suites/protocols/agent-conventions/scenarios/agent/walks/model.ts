import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { boundOf } from "../../bounds.ts";
import { type AgentPlay, agentOf, type Moment } from "../play.ts";
import type { Flaw, WalkStep, Work } from "./step.ts";

/** The end of some work. Messages from before the end do not count. */
interface EndOfWork {
  rule: string;
  /** The circumstances, as the beginning of a message. */
  why: string;
  /** The number of messages to the hub before the end. */
  messageCount: number;
  /** The number of attempts before the end. */
  attemptCount: number;
  /** Whether a message was made after the end. */
  isLater: Moment["isLater"];
}

/** A task that the agent may know. */
export interface Task {
  id: string;
  work: Work;
  /** Whether its assignment has arrived. */
  isKnown: boolean;
  halt?: EndOfWork | undefined;
}

/** A cue as the agent should see it. Its phase is `unsure` after messages out of order. */
export interface Cue {
  id: string;
  phase: "new" | "warned" | "ready" | "gone" | "unsure";
  /** Whether a go has arrived, in order or not. */
  hasGo: boolean;
  halt?: EndOfWork | undefined;
}

/** A message to the agent, with its subject. */
export interface Delivery {
  message: JsonObject;
  task?: Task;
  cue?: Cue;
  flaw?: Flaw;
  isMisdirected?: true;
}

/** The expected state of the agent, and the messages so far. */
export interface AgentWalkModel {
  agent: AgentPlay;
  /** Whether the agent reports its handled messages and attempts. */
  canReportWork: boolean;
  tasks: Task[];
  cues: Cue[];
  /** The messages to the agent, in the order of their first arrival. */
  deliveries: Delivery[];
  post: Post<Delivery>;
  /** All messages to the hub. */
  hubMessages: JsonObject[];
  /** Whether a stop has arrived: then the agent may handle later messages in any way. */
  hasStopped: boolean;
  /** The numbers of invalid escalations and of escalations in answer to them. */
  complaints: { sentCount: number; answeredCount: number };
  /** How long to wait for an expected message, in milliseconds. */
  patienceMs: number;
  /** The longest delay of an awaited message, in milliseconds of the agent's clock. */
  lag: number;
}

/** How long to wait for a message while a failed walk is shrunk. The message is then known not to arrive. */
const shrinkingWaitMs = 500;
/** How often the outbox is read before the clock is advanced. */
const readsBeforeAdvance = 8;
const pauseMs = 10;

/** The agent of each scenario, which all its walks share. */
const walkedAgents = new WeakMap<ScenarioContext, Promise<WalkedAgent>>();

interface WalkedAgent {
  agent: AgentPlay;
  canReportWork: boolean;
  /** Whether an earlier walk ended with a stop. */
  wasStopped: boolean;
}

export async function beginWalk(context: ScenarioContext, isAgain: boolean): Promise<AgentWalkModel> {
  const walkedAgent = walkedAgents.get(context) ?? startWithAgent(context);
  walkedAgents.set(context, walkedAgent);
  const { agent, canReportWork, wasStopped } = await walkedAgent;
  const model: AgentWalkModel = {
    agent,
    canReportWork,
    tasks: [],
    cues: [],
    deliveries: [],
    post: postFor<Delivery>(),
    hubMessages: [],
    hasStopped: wasStopped && !canReportWork,
    complaints: { sentCount: 0, answeredCount: 0 },
    patienceMs: (isAgain ? shrinkingWaitMs : boundOf(context, "message")) * (context.setting.timeScale ?? 1),
    lag: 0,
  };
  if (wasStopped && canReportWork) await requireAcceptance(context, model);
  await agent.outbox();
  return model;
}

async function startWithAgent(context: ScenarioContext): Promise<WalkedAgent> {
  const agent = await agentOf(context);
  // The first use of the validators is slow, which must not count as a delay of the agent.
  await context.violations("escalation", {});
  const canReportWork = await agent.reportWork().then(
    () => true,
    (error: unknown) => {
      if (error instanceof TargetSkip) return false;
      throw error;
    },
  );
  return { agent, canReportWork, wasStopped: false };
}

/** Stops endless work after a walk, and records the stop for later walks. */
export async function tidyUp(context: ScenarioContext, { agent, tasks, cues }: AgentWalkModel): Promise<void> {
  if (!tasks.some(({ work }) => work === "steady") && cues.length === 0) return;
  const walkedAgent = await walkedAgents.get(context);
  if (walkedAgent !== undefined) walkedAgent.wasStopped = true;
  await agent.deliver(await agent.makeStop());
}

/** Skips further walks if the agent, once stopped, accepts no tasks until it is restarted. */
async function requireAcceptance(context: ScenarioContext, model: AgentWalkModel): Promise<void> {
  const { message } = await model.agent.assignWork({}, { description: context.fresh("Look at the log of") });
  const isHandled = async (): Promise<boolean> => (await handledIds(model)).has(String(message.message_id));
  if (!(await waitUntil(context, model, isHandled)))
    throw new TargetSkip("the agent accepts no tasks after it was stopped on an earlier walk");
}

/** The ids of all messages that the agent has handled. */
export async function handledIds({ agent, canReportWork }: AgentWalkModel): Promise<ReadonlySet<string>> {
  return new Set(canReportWork ? (await agent.reportWork()).handledIds : []);
}

/** The number of the agent's attempts at a cue. */
export async function countAttempts({ agent, canReportWork }: AgentWalkModel, { id }: Cue): Promise<number> {
  return canReportWork ? (await agent.reportWork()).attempts.filter((attempt) => attempt.cue_id === id).length : 0;
}

/** Records the messages that have reached the hub. */
export async function readOutbox(model: AgentWalkModel): Promise<void> {
  model.hubMessages.push(...(await model.agent.outbox()));
}

/** Waits until a condition is true. Returns false when the time is up, both in real time and by the agent's clock. */
export async function waitUntil(
  context: ScenarioContext,
  model: AgentWalkModel,
  condition: () => Promise<boolean>,
  maxMovedMs = 30_000,
): Promise<boolean> {
  const { agent, patienceMs } = model;
  const startedAt = performance.now();
  const end = startedAt + patienceMs;
  let passedMs = 0;
  for (let look = 0; ; look++) {
    if (await condition()) {
      model.lag = Math.max(model.lag, passedMs + performance.now() - startedAt);
      return true;
    }
    const canAdvance = agent.hasClock && passedMs < maxMovedMs;
    if (!canAdvance && performance.now() > end) return false;
    if (canAdvance && look >= readsBeforeAdvance) {
      await agent.pass(500);
      passedMs += 500;
    } else await sleep(pauseMs, undefined, { signal: context.signal });
  }
}

/** Waits for a matching message to the hub after this many messages; undefined if none arrives in time. */
export async function waitForMessage(
  context: ScenarioContext,
  model: AgentWalkModel,
  fromIndex: number,
  matches: (message: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const findMessage = (): JsonObject | undefined => model.hubMessages.slice(fromIndex).find(matches);
  await waitUntil(context, model, async () => {
    await readOutbox(model);
    return findMessage() !== undefined;
  });
  return findMessage();
}

/** Whether the agent has endless work in progress, and may therefore postpone other work. */
export function isBusy({ tasks, cues }: AgentWalkModel): boolean {
  const isInProgress = ({ work, isKnown, halt }: Task): boolean => work === "steady" && isKnown && halt === undefined;
  return tasks.some(isInProgress) || cues.some(({ hasGo, halt }) => hasGo && halt === undefined);
}

/** The step with its index wrapped to the number of existing subjects; undefined if there is none. */
export function fitStep({ tasks, cues, deliveries, post }: AgentWalkModel, step: WalkStep): WalkStep | undefined {
  if (step.do === "deliver") return post.isEmpty ? undefined : step;
  if (step.do === "wait") return deliveries.length > 0 ? step : undefined;
  if (!("index" in step)) return step;
  const { length } = subjectsOf(step.do);
  return length === 0 ? undefined : { ...step, index: step.index % length };

  function subjectsOf(verb: WalkStep["do"]): readonly unknown[] {
    if (verb === "update") return tasks;
    return verb === "again" ? deliveries : cues;
  }
}
