import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import {
  drawItems,
  freshCue,
  hub,
  isSameId,
  isType,
  memberObject,
  orchestrator,
  peer,
  summarize,
  timeOf,
} from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { expectArrival } from "./work-messages.ts";

const side = "agent";

/** A cue that the suite plays with the agent. */
interface PlayedCue {
  cue: string;
  /** Whether the agent has reported that it is ready. */
  isReady: boolean;
  /** Sends the agent the next message of the cue. */
  send(phase: "warning" | "standby" | "go" | "stop", members?: JsonObject, from?: string): Promise<JsonObject>;
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
): PlayedCue {
  const cue = freshCue(context);
  return {
    cue,
    isReady: false,
    async send(phase, members = {}, from = orchestrator) {
      const content = { cue_id: cue, target_agents: [...targets], ...members };
      const message = await agent.message(`coord.${phase}`, content, { from, to });
      await agent.deliver(message);
      return message;
    },
  };
}

/** Whether an ack refers to a message, by the id of the message or of its cue. */
function isAbout(ack: JsonObject, { message_id: id, cue_id: cue }: JsonObject): boolean {
  return (
    isType(ack, "ack.") &&
    (isSameId(ack.acknowledging_message_id, id) || memberObject(ack, "coordination_ack").cue_id === cue)
  );
}

function isReadiness(ack: JsonObject): boolean {
  return memberObject(ack, "coordination_ack").ready_status === "ready" && !isType(ack, "ack.refused");
}

/** Sends the warning and the standby of a cue, for this agent alone or with others, and waits until the agent is ready for the go. */
export async function bringToReady(context: ScenarioContext, agent: AgentPlay): Promise<PlayedCue> {
  const [audience = {}] = drawItems(context, [{}, { to: "broadcast" }, { targets: [peer, agent.id], to: "broadcast" }]);
  const cue = cueOf(context, agent, audience);
  await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
  const warning = await cue.send("warning");
  await agent.waitForMessage((ack) => isAbout(ack, warning));
  const standby = await cue.send("standby");
  const readyAck = await agent.waitForMessage((ack) => isAbout(ack, standby) && isReadiness(ack));
  cue.isReady = readyAck !== undefined;
  return cue;
}

/** Measures how fast an agent acts: sends a warning, without further phases, and waits for its acknowledgment. */
export async function measurePace(context: ScenarioContext, agent: AgentPlay): Promise<void> {
  const warning = await cueOf(context, agent).send("warning");
  await agent.waitForMessage((ack) => isAbout(ack, warning));
}

export const unreadyText = "the agent does not report that it is ready, so no go may be sent";

/** The time of the agent's first attempt at a cue; undefined if there is none. */
async function beginTime(agent: AgentPlay, cue: string): Promise<number | undefined> {
  const { attempts } = await agent.reportWork();
  const first = attempts.find((attempt) => attempt.cue_id === cue);
  return first === undefined ? undefined : Date.parse(String(first.at));
}

/** Like `beginTime`, but waits a moment of real time for an agent that begins late. */
async function beginTimeAfterPause(agent: AgentPlay, cue: string): Promise<number | undefined> {
  for (let look = 0; ; look++) {
    const at = await beginTime(agent, cue);
    if (at !== undefined || look === 20) return at;
    await agent.pause();
  }
}

/** Expects that an agent respects the offset of a scheduled time. It may refuse such a time, but must not begin early. */
async function judgeOffset(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return context.skip(rule, unreadyText);
  const hourMs = 3_600_000;
  const time = Math.ceil(((await agent.now()) + hourMs) / 1000) * 1000;
  // Without its offset, this time would already be in the past.
  const timeInOtherZone = timeOf(time - 2 * hourMs).replace("Z", "-02:00");
  await cue.send("go", { go_details: { execution_type: "scheduled", scheduled_time: timeInOtherZone } });
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const at = await beginTime(agent, cue.cue);
  const why = `work that is scheduled for ${timeInOtherZone} begins too early`;
  context.expect(rule, at === undefined || at >= time, why);
}

/** The milliseconds within which a warning must be acknowledged. */
const maxAnswerMs = 5000;

export const cueScenarios: readonly Scenario[] = [
  {
    name: "agent-answers-cues",
    side,
    says: "a warning is acknowledged, and a standby is answered with readiness",
    rules: ["CONV-CUE-003"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const rule = "CONV-CUE-003";
      const agent = await agentOf(context);
      const cue = cueOf(context, agent);
      await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
      const warning = await cue.send("warning");
      const ackInTime = await agent.waitWithin((ack) => isAbout(ack, warning), maxAnswerMs);
      const warningAck = ackInTime ?? (await agent.waitForMessage((ack) => isAbout(ack, warning)));
      // An ack that was made in time may have arrived late.
      const wasMadeLate = !(
        Date.parse(String(warningAck?.timestamp)) - Date.parse(String(warning.timestamp)) <=
        maxAnswerMs + 999
      );
      if (warningAck !== undefined && ackInTime === undefined && wasMadeLate)
        context.expect(rule, false, `a warning is acknowledged after more than ${maxAnswerMs / 1000} s`);
      const isAcknowledged = warningAck !== undefined && isType(warningAck, "ack.received", "ack.understood");
      context.expect(
        rule,
        isAcknowledged,
        `a warning is answered by ${warningAck === undefined ? "no ack" : summarize(warningAck)}`,
      );
      const standby = await cue.send("standby");
      const stateOf = (ack: JsonObject): unknown => memberObject(ack, "coordination_ack").ready_status;
      let lastAnswer: JsonObject | undefined;
      // An agent may first report that it is preparing.
      const standbyAck = await agent.waitForMessage((ack) => {
        if (!isAbout(ack, standby)) return false;
        lastAnswer = ack;
        return isReadiness(ack) || isType(ack, "ack.refused");
      });
      const lastStatus = lastAnswer === undefined ? undefined : stateOf(lastAnswer);
      const answerText =
        lastAnswer === undefined
          ? "no ack"
          : `${summarize(lastAnswer)} ${lastStatus === undefined ? "without ready_status" : `with ready_status ${lastStatus}`}`;
      const isAnswered = standbyAck !== undefined && isReadiness(standbyAck);
      // Any other ack is the final answer, but a ready ack may still follow one with the status preparing.
      if (standbyAck === undefined && (lastAnswer === undefined || lastStatus === "preparing"))
        expectArrival(context, { agent, rule }, false, `a standby is answered by ${answerText}`);
      else context.expect(rule, isAnswered, `a standby is answered by ${answerText}`);
      const namedCues = [warningAck, standbyAck].flatMap((ack) => memberObject(ack, "coordination_ack").cue_id ?? []);
      const areNamesCorrect = namedCues.every((namedCue) => namedCue === cue.cue);
      context.expect(rule, areNamesCorrect, `acks for ${cue.cue} name the cue ${namedCues.join(", ")}`);
      const secondWarning = await cueOf(context, agent).send("warning");
      const isSecondAcknowledged = (await agent.waitForMessage((ack) => isAbout(ack, secondWarning))) !== undefined;
      expectArrival(context, { agent, rule }, isSecondAcknowledged, "the warning of a second cue is not acknowledged");
    },
  },
  {
    name: "agent-goes",
    side,
    says: "on go the work begins immediately, or at its scheduled time",
    rules: ["CONV-CUE-004"],
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    asksClock: true,
    async play(context) {
      const rule = "CONV-CUE-004";
      const agent = await agentOf(context);
      const firstCue = await bringToReady(context, agent);
      if (!firstCue.isReady) return context.skip(rule, unreadyText);
      await firstCue.send("go", drawItems(context, [{ go_details: { execution_type: "immediate" } }, {}])[0]);
      // Allows a second, and the time that the agent needed for its answers.
      await agent.pass(1000 + 2 * agent.lag());
      const hasBegun = (await beginTimeAfterPause(agent, firstCue.cue)) !== undefined;
      expectArrival(context, { agent, rule }, hasBegun, "a second after an immediate go, the work has not begun");
      const secondCue = await bringToReady(context, agent);
      if (!secondCue.isReady) return context.skip(rule, unreadyText);
      // A whole second, because an agent may report its attempts in whole seconds.
      const time = Math.ceil(((await agent.now()) + 6 * agent.beat + 1000) / 1000) * 1000;
      const details = { execution_type: "scheduled", scheduled_time: timeOf(time) };
      await secondCue.send("go", { go_details: details });
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
      expectArrival(
        context,
        { agent, rule },
        at !== undefined,
        "a second after its time, the scheduled work has not begun",
      );
      await judgeOffset(context, agent, rule);
    },
  },
  {
    name: "agent-goes-for-orchestrator",
    side,
    says: "a go from an agent that is not an orchestrator is not followed",
    rules: ["CONV-CUE-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-CUE-005";
      const agent = await agentOf(context);
      const cue = await bringToReady(context, agent);
      if (!cue.isReady) return context.skip(rule, unreadyText);
      for (const from of [peer, ...drawItems(context, [hub, "orchestrators-2", "tournant", "sub-orchestrator"])]) {
        await cue.send("go", { go_details: { execution_type: "immediate" } }, from);
        await agent.settle();
        const hasBegun = (await beginTime(agent, cue.cue)) !== undefined;
        // For validators this is only a warning, since no schema states it. The rule itself binds agents.
        context.expect(rule, !hasBegun, `${from} sends a go, and the agent begins the work`, "MUST");
        if (hasBegun) return;
      }
      await checkBeginsOnGo(context, agent, rule, cue);
    },
  },
  {
    name: "agent-cues-of-others",
    side,
    says: "a cue for other agents is not followed",
    rules: ["CONV-RECV-002", "CONV-CUE-004"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      const agent = await agentOf(context);
      // The agent's own cue is ready, so that the agent could mistake another go for its own.
      const ownCue = await bringToReady(context, agent);
      for (const [rule, audience, audienceText] of [
        ["CONV-RECV-002", { targets: [peer], to: peer }, `sent to ${peer}`],
        ["CONV-CUE-004", { targets: [peer], to: "broadcast" }, `for ${peer} alone, sent to all`],
        ["CONV-CUE-004", { targets: [`${agent.id}-2`], to: "broadcast" }, `for ${agent.id}-2 alone, sent to all`],
      ] as const) {
        const otherCue = cueOf(context, agent, audience);
        await agent.ask("assign", { cue_id: otherCue.cue, work: "steady", everyMs: agent.beat });
        for (const phase of ["warning", "standby", "go"] as const) {
          const message = await otherCue.send(phase);
          await agent.settle();
          const acks = (await agent.outbox()).filter((ack) => isAbout(ack, message));
          const isFollowed = acks.some((ack) => isReadiness(ack) || isType(ack, "ack.completed"));
          const isMisaddressed = rule === "CONV-RECV-002";
          context.expect(
            rule,
            !(isMisaddressed && isFollowed),
            `a ${phase} ${audienceText} is answered with readiness`,
          );
        }
        const hasBegun = (await beginTime(agent, otherCue.cue)) !== undefined;
        context.expect(rule, !hasBegun, `${agent.id} begins work on a go ${audienceText}`);
        if (hasBegun) return;
      }
      for (const rule of ["CONV-RECV-002", "CONV-CUE-004"]) {
        if (ownCue.isReady) await checkBeginsOnGo(context, agent, rule, ownCue);
        else context.skip(rule, unreadyText);
      }
    },
  },
];

/** Expects that the work begins on a proper go. Otherwise the agent has shown nothing, and the rule is skipped. */
async function checkBeginsOnGo(
  context: ScenarioContext,
  agent: AgentPlay,
  rule: string,
  cue: PlayedCue,
): Promise<void> {
  if ((await beginTime(agent, cue.cue)) === undefined)
    await cue.send("go", { go_details: { execution_type: "immediate" } });
  if (await agent.becomesTrue(async () => (await beginTime(agent, cue.cue)) !== undefined))
    context.expect(rule, true, "");
  else context.skip(rule, `the work does not begin on a go from ${orchestrator} either`);
}
