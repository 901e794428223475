import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import {
  drawItems,
  freshCue,
  hub,
  inShort,
  isSameId,
  isType,
  memberObject,
  orchestrator,
  peer,
  timeOf,
} from "../messages.ts";
import { mustCome } from "./conflict-messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

interface HeardCue {
  cue: string;
  /** Whether the agent has said that it is ready. */
  isReady: boolean;
  /** Sends the agent the next message of the cue. */
  say(phase: "warning" | "standby" | "go" | "stop", members?: JsonObject, from?: string): Promise<JsonObject>;
}

/** The audience of a cue: the participating agents, and the recipients of its messages. */
interface CueAudience {
  targets?: readonly string[];
  to?: string;
}

function cueOf(
  context: ScenarioContext,
  agent: AgentPlay,
  { targets = [agent.id], to = agent.id }: CueAudience = {},
): HeardCue {
  const cue = freshCue(context);
  return {
    cue,
    isReady: false,
    async say(phase, members = {}, from = orchestrator) {
      const content = { cue_id: cue, target_agents: [...targets], ...members };
      const message = await agent.message(`coord.${phase}`, content, { from, to });
      await agent.deliver(message);
      return message;
    },
  };
}

/** Whether an ack is about a message, by its references. */
function isAbout(ack: JsonObject, { message_id: id, cue_id: cue }: JsonObject): boolean {
  return (
    isType(ack, "ack.") &&
    (isSameId(ack.acknowledging_message_id, id) || memberObject(ack, "coordination_ack").cue_id === cue)
  );
}

function isReadiness(ack: JsonObject): boolean {
  return memberObject(ack, "coordination_ack").ready_status === "ready" && !isType(ack, "ack.refused");
}

/** Brings a cue to the point at which only the go is missing, for one agent or for several. */
export async function bringToReady(context: ScenarioContext, agent: AgentPlay): Promise<HeardCue> {
  const [audience = {}] = drawItems(context, [{}, { to: "broadcast" }, { targets: [peer, agent.id], to: "broadcast" }]);
  const cue = cueOf(context, agent, audience);
  await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
  const warning = await cue.say("warning");
  await agent.waitForMessage((each) => isAbout(each, warning));
  const standby = await cue.say("standby");
  const content = await agent.waitForMessage((each) => isAbout(each, standby) && isReadiness(each));
  cue.isReady = content !== undefined;
  return cue;
}

/** Warns the agent of a cue that has no further phase: the delay of the answer shows how late its other actions may be. */
export async function judgePace(context: ScenarioContext, agent: AgentPlay): Promise<void> {
  const warning = await cueOf(context, agent).say("warning");
  await agent.waitForMessage((each) => isAbout(each, warning));
}

export const unreadyText = "the agent does not say that it is ready, and no go may be sent";

/** The time at which the agent first worked on a cue; undefined if it has not. */
async function beginTime(agent: AgentPlay, cue: string): Promise<number | undefined> {
  const { attempts } = await agent.reportWork();
  const first = attempts.find((attempt) => attempt.cue_id === cue);
  return first === undefined ? undefined : Date.parse(String(first.at));
}

/** The same after a pause in real time, for an agent that may begin a moment late. */
async function beginTimeAfterPause(agent: AgentPlay, cue: string): Promise<number | undefined> {
  for (let look = 0; ; look++) {
    const at = await beginTime(agent, cue);
    if (at !== undefined || look === 20) return at;
    await agent.pause();
  }
}

/** A time may be written in another zone, although not every reader accepts that. Work that is scheduled in this way must not begin earlier. */
async function mustReadOffset(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return context.skip(rule, unreadyText);
  const hour = 3_600_000;
  const time = Math.ceil(((await agent.now()) + hour) / 1000) * 1000;
  // Read without its offset, this time has already passed.
  const timeInOtherZone = timeOf(time - 2 * hour).replace("Z", "-02:00");
  await cue.say("go", { go_details: { execution_type: "scheduled", scheduled_time: timeInOtherZone } });
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const at = await beginTime(agent, cue.cue);
  const why = `work that is scheduled for ${timeInOtherZone} begins too early`;
  context.expect(rule, at === undefined || at >= time, why);
}

/** Milliseconds within which a warning is to be acknowledged. */
const maxAnswerMs = 5000;

export const cues: readonly Scenario[] = [
  {
    name: "agent-answers-cues",
    side,
    says: "a warning is acknowledged, and a standby answered by being ready",
    rules: ["CONV-CUE-003"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const rule = "CONV-CUE-003";
      const agent = await agentOf(context);
      const cue = cueOf(context, agent);
      await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
      const warning = await cue.say("warning");
      const prompt = await agent.comesWithin((each) => isAbout(each, warning), maxAnswerMs);
      const promptAck = prompt ?? (await agent.waitForMessage((each) => isAbout(each, warning)));
      // The ack may only have been delayed on its way.
      const isMadeLate = !(
        Date.parse(String(promptAck?.timestamp)) - Date.parse(String(warning.timestamp)) <=
        maxAnswerMs + 999
      );
      if (promptAck !== undefined && prompt === undefined && isMadeLate)
        context.expect(rule, false, `a warning is acknowledged after more than ${maxAnswerMs / 1000} s`);
      const isKnown = promptAck !== undefined && isType(promptAck, "ack.received", "ack.understood");
      context.expect(
        rule,
        isKnown,
        `a warning is answered by ${promptAck === undefined ? "no ack" : inShort(promptAck)}`,
      );
      const standby = await cue.say("standby");
      const stateOf = (each: JsonObject): unknown => memberObject(each, "coordination_ack").ready_status;
      let last: JsonObject | undefined;
      // An agent may first say that it is preparing.
      const content = await agent.waitForMessage((each) => {
        if (!isAbout(each, standby)) return false;
        last = each;
        return isReadiness(each) || isType(each, "ack.refused");
      });
      const state = last === undefined ? undefined : stateOf(last);
      const manner =
        last === undefined
          ? "no ack"
          : `${inShort(last)} ${state === undefined ? "without ready_status" : `with ready_status ${state}`}`;
      const isAnswered = content !== undefined && isReadiness(content);
      // An ack of another kind is also an answer. After an ack that says that the agent is preparing, another one may follow.
      if (content === undefined && (last === undefined || state === "preparing"))
        mustCome(context, { agent, rule }, false, `a standby is answered by ${manner}`);
      else context.expect(rule, isAnswered, `a standby is answered by ${manner}`);
      const namedCues = [promptAck, content].flatMap((each) => memberObject(each, "coordination_ack").cue_id ?? []);
      const isIts = namedCues.every((each) => each === cue.cue);
      context.expect(rule, isIts, `acks on ${cue.cue} name the cue ${namedCues.join(", ")}`);
      const next = await cueOf(context, agent).say("warning");
      const isNextKnown = (await agent.waitForMessage((each) => isAbout(each, next))) !== undefined;
      mustCome(context, { agent, rule }, isNextKnown, "the warning of a second cue is not acknowledged");
    },
  },
  {
    name: "agent-goes",
    side,
    says: "on go the work begins at once, or at its time",
    rules: ["CONV-CUE-004"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    asksClock: true,
    async play(context) {
      const rule = "CONV-CUE-004";
      const agent = await agentOf(context);
      const now = await bringToReady(context, agent);
      if (!now.isReady) return context.skip(rule, unreadyText);
      await now.say("go", drawItems(context, [{ go_details: { execution_type: "immediate" } }, {}])[0]);
      // At once, or as long as the agent needed for its answers.
      await agent.pass(1000 + 2 * agent.lag());
      const isBegun = (await beginTimeAfterPause(agent, now.cue)) !== undefined;
      mustCome(context, { agent, rule }, isBegun, "a second after an immediate go no work has begun");
      const secondCue = await bringToReady(context, agent);
      if (!secondCue.isReady) return context.skip(rule, unreadyText);
      // A whole second, because an agent may report its attempts in whole seconds.
      const time = Math.ceil(((await agent.now()) + 6 * agent.beat + 1000) / 1000) * 1000;
      const details = { execution_type: "scheduled", scheduled_time: timeOf(time) };
      await secondCue.say("go", { go_details: details });
      await agent.settle();
      const isEarly = (at: number | undefined): boolean => at !== undefined && at < time;
      const expectOnTime = (at: number | undefined): void => {
        const why = `work that is scheduled for ${timeOf(time)} begins too early, at ${timeOf(at ?? time)}`;
        context.expect(rule, !isEarly(at), why);
      };
      expectOnTime(await beginTime(agent, secondCue.cue));
      await agent.pass(Math.max(0, time - (await agent.now())) + 1000 + 2 * agent.lag());
      const at = await beginTimeAfterPause(agent, secondCue.cue);
      expectOnTime(at);
      mustCome(context, { agent, rule }, at !== undefined, "a second after its time the scheduled work has not begun");
      await mustReadOffset(context, agent, rule);
    },
  },
  {
    name: "agent-goes-for-orchestrator",
    side,
    says: "a go from another than an orchestrator begins nothing",
    rules: ["CONV-CUE-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-CUE-005";
      const agent = await agentOf(context);
      const cue = await bringToReady(context, agent);
      if (!cue.isReady) return context.skip(rule, unreadyText);
      for (const from of [peer, ...drawItems(context, [hub, "orchestrators-2", "tournant", "sub-orchestrator"])]) {
        await cue.say("go", { go_details: { execution_type: "immediate" } }, from);
        await agent.settle();
        const isBegun = (await beginTime(agent, cue.cue)) !== undefined;
        // A validator only gets a warning, because no schema states this. An agent is bound by the rule itself.
        context.expect(rule, !isBegun, `${from} sends a go, and the work begins`, "MUST");
        if (isBegun) return;
      }
      await mustBeginAtLast(context, agent, rule, cue);
    },
  },
  {
    name: "agent-cues-of-others",
    side,
    says: "a cue for other agents begins nothing",
    rules: ["CONV-RECV-002", "CONV-CUE-004"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      const agent = await agentOf(context);
      // The agent's own cue is made ready first, so that a go that the agent mistakes for its own could begin it.
      const ownCue = await bringToReady(context, agent);
      for (const [rule, audience, manner] of [
        ["CONV-RECV-002", { targets: [peer], to: peer }, `sent to ${peer}`],
        ["CONV-CUE-004", { targets: [peer], to: "broadcast" }, `for ${peer} alone, sent to all`],
        ["CONV-CUE-004", { targets: [`${agent.id}-2`], to: "broadcast" }, `for ${agent.id}-2 alone, sent to all`],
      ] as const) {
        const otherCue = cueOf(context, agent, audience);
        await agent.ask("assign", { cue_id: otherCue.cue, work: "steady", everyMs: agent.beat });
        for (const phase of ["warning", "standby", "go"] as const) {
          const message = await otherCue.say(phase);
          await agent.settle();
          const content = (await agent.outbox()).filter((each) => isAbout(each, message));
          const isFollowed = content.some((each) => isReadiness(each) || isType(each, "ack.completed"));
          const isForeign = rule === "CONV-RECV-002";
          context.expect(rule, !(isForeign && isFollowed), `a ${phase} ${manner} is answered by being ready`);
        }
        const isBegun = (await beginTime(agent, otherCue.cue)) !== undefined;
        context.expect(rule, !isBegun, `a go ${manner} begins work of ${agent.id}`);
        if (isBegun) return;
      }
      for (const rule of ["CONV-RECV-002", "CONV-CUE-004"]) {
        if (ownCue.isReady) await mustBeginAtLast(context, agent, rule, ownCue);
        else context.skip(rule, unreadyText);
      }
    },
  },
];

/** If the work begins on a right go, it could have begun before. Otherwise nothing was shown. */
async function mustBeginAtLast(context: ScenarioContext, agent: AgentPlay, rule: string, cue: HeardCue): Promise<void> {
  if ((await beginTime(agent, cue.cue)) === undefined)
    await cue.say("go", { go_details: { execution_type: "immediate" } });
  if (await agent.becomesTrue(async () => (await beginTime(agent, cue.cue)) !== undefined))
    context.expect(rule, true, "");
  else context.skip(rule, `no work begins on a go of ${orchestrator} either`);
}
