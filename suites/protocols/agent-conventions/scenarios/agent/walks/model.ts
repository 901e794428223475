import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, type ScenarioContext, TargetSkip } from "../../../../../../schemas/index.ts";
import { type Post, postFor } from "../../../../../running/scenarios/walks/index.ts";
import { boundOf } from "../../bounds.ts";
import { type AgentPlay, agentOf, type Moment } from "../play.ts";
import type { Flaw, WalkStep, Work } from "./step.ts";

/** The end of some work. Messages from before the end are not a result of it. */
interface EndOfWork {
  rule: string;
  why: string;
  /** How many messages had been heard, and how often the work had been tried. */
  heardCount: number;
  attemptCount: number;
  /** Whether a message was made after the end. */
  isLater: Moment["isLater"];
}

/** The facts that an agent must know about one task. */
export interface Task {
  id: string;
  work: Work;
  /** Its assignment has arrived. */
  isKnown: boolean;
  halt?: EndOfWork | undefined;
}

/** A cue from the agent's point of view: its progress in the order of phases, or `unsure` after messages out of order. */
export interface Cue {
  id: string;
  phase: "new" | "warned" | "ready" | "gone" | "unsure";
  /** Set when a go has arrived, in order or not. */
  hasGo: boolean;
  halt?: EndOfWork | undefined;
}

/** A message on its way to the agent, and its subject. */
export interface Letter {
  message: JsonObject;
  task?: Task;
  cue?: Cue;
  flaw?: Flaw;
  isMisdirected?: true;
}

/** Everything that the model of an agent knows. */
export interface AgentWalkModel {
  agent: AgentPlay;
  /** It reports its handled messages and attempts. */
  canReportWork: boolean;
  tasks: Task[];
  cues: Cue[];
  /** In the order of their first arrival. */
  arrived: Letter[];
  post: Post<Letter>;
  /** All messages to the hub. */
  heard: JsonObject[];
  /** A stop has arrived: an agent may handle later messages in any way. */
  hasStopped: boolean;
  /** Escalations in answer to invalid escalations. */
  complaints: { arrivedLetters: number; answeredCount: number };
  /** The time in milliseconds within which an expected message arrives. */
  patienceMs: number;
  /** The agent's slowest delay of an awaited message, in milliseconds of its clock. */
  lag: number;
}

/** Milliseconds to wait when shrinking a walk whose message is known not to arrive. */
const hasteMs = 500;
/** How often the outbox is read before the clock is moved. */
const lookCount = 8;
const pause = 10;

/** The agent of all walks of a scenario, and whether one of the walks has ended with a stop. */
const walkedAgents = new WeakMap<ScenarioContext, Promise<WalkedAgent>>();

interface WalkedAgent {
  agent: AgentPlay;
  canReportWork: boolean;
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
    arrived: [],
    post: postFor<Letter>(),
    heard: [],
    hasStopped: wasStopped && !canReportWork,
    complaints: { arrivedLetters: 0, answeredCount: 0 },
    patienceMs: (isAgain ? hasteMs : boundOf(context, "message")) * (context.setting.timeScale ?? 1),
    lag: 0,
  };
  if (wasStopped && canReportWork) await mustAcceptTasks(context, model);
  await agent.outbox();
  return model;
}

async function startWithAgent(context: ScenarioContext): Promise<WalkedAgent> {
  const agent = await agentOf(context);
  // The first use of the judges needs some time, for which the agent must not be blamed.
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

/** Stops unbounded work, and records that for later walks. */
export async function tidyUp(context: ScenarioContext, { agent, tasks, cues }: AgentWalkModel): Promise<void> {
  if (!tasks.some(({ work }) => work === "steady") && cues.length === 0) return;
  const now = await walkedAgents.get(context);
  if (now !== undefined) now.wasStopped = true;
  await agent.deliver(await agent.stopping());
}

/** An agent that accepts nothing after a stop until it is restarted cannot play further walks. */
async function mustAcceptTasks(context: ScenarioContext, model: AgentWalkModel): Promise<void> {
  const { message } = await model.agent.assignWork({}, { description: context.fresh("Look at the log of") });
  const isHandled = async (): Promise<boolean> => (await handledIds(model)).has(String(message.message_id));
  if (!(await waitUntil(context, model, isHandled)))
    throw new TargetSkip("after it was stopped on another walk the agent accepts no tasks");
}

/** The ids of all messages that it has handled. */
export async function handledIds({ agent, canReportWork }: AgentWalkModel): Promise<ReadonlySet<string>> {
  return new Set(canReportWork ? (await agent.reportWork()).handledIds : []);
}

/** How often it has tried to work on a cue. */
export async function countAttempts({ agent, canReportWork }: AgentWalkModel, { id }: Cue): Promise<number> {
  return canReportWork ? (await agent.reportWork()).attempts.filter((attempt) => attempt.cue_id === id).length : 0;
}

/** Records the messages that have arrived at the hub. */
export async function hearMessages(model: AgentWalkModel): Promise<void> {
  model.heard.push(...(await model.agent.outbox()));
}

/** Waits until a condition is true. Returns false when the time is up, by the real clock and by the moved one. */
export async function waitUntil(
  context: ScenarioContext,
  model: AgentWalkModel,
  holds: () => Promise<boolean>,
  farthest = 30_000,
): Promise<boolean> {
  const { agent, patienceMs } = model;
  const startedAt = performance.now();
  const end = startedAt + patienceMs;
  let passedMs = 0;
  for (let look = 0; ; look++) {
    if (await holds()) {
      model.lag = Math.max(model.lag, passedMs + performance.now() - startedAt);
      return true;
    }
    const isMoved = agent.hasClock && passedMs < farthest;
    if (!isMoved && performance.now() > end) return false;
    if (isMoved && look >= lookCount) {
      await agent.pass(500);
      passedMs += 500;
    } else await sleep(pause, undefined, { signal: context.signal });
  }
}

/** The first matching message after the given number of messages; undefined if none arrives in time. */
export async function waitForMessage(
  context: ScenarioContext,
  model: AgentWalkModel,
  after: number,
  isIt: (message: JsonObject) => boolean,
): Promise<JsonObject | undefined> {
  const findMessage = (): JsonObject | undefined => model.heard.slice(after).find(isIt);
  await waitUntil(context, model, async () => {
    await hearMessages(model);
    return findMessage() !== undefined;
  });
  return findMessage();
}

/** Whether the agent has work to do, and may therefore postpone other things. */
export function isBusy({ tasks, cues }: AgentWalkModel): boolean {
  const isOn = ({ work, isKnown, halt }: Task): boolean => work === "steady" && isKnown && halt === undefined;
  return tasks.some(isOn) || cues.some(({ hasGo, halt }) => hasGo && halt === undefined);
}

/** The step with its index wrapped to the number of existing subjects. Undefined if the step has no subject here. */
export function fitStep(
  { tasks, cues, arrived: arrivedLetters, post }: AgentWalkModel,
  step: WalkStep,
): WalkStep | undefined {
  if (step.do === "deliver") return post.isEmpty ? undefined : step;
  if (step.do === "wait") return arrivedLetters.length > 0 ? step : undefined;
  if (!("of" in step)) return step;
  const { length } = step.do === "update" ? tasks : step.do === "again" ? arrivedLetters : cues;
  return length === 0 ? undefined : { ...step, of: step.of % length };
}
