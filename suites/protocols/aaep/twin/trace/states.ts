import { isObject, type Json } from "../../../../../schemas/index.ts";
import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import type { Item, ParsedRecording } from "./items.ts";
import { isHidden } from "./terms.ts";

const impliedStates: Readonly<Record<string, readonly string[]>> = {
  "tool.invoked": ["calling_tool"],
  "tool.completed": ["thinking", "deciding"],
  "output.streaming": ["writing_output"],
  "handoff.requested": ["handing_off"],
};
const statesAfterAnswer = ["thinking", "deciding", "calling_tool"];

/** Judges the sequence of states of each agent. */
export function judgeStates(report: ReportFault, course: TwinCourse, recording: ParsedRecording): void {
  const { events, terms, hasGap, isCutShort, isJoined } = course;
  for (const agent of new Set(events.map((item) => item.agent))) judgeStateChanges(report, course, recording, agent);
  const [firstEvent, lastEvent] = [events[0] as Item, events.at(-1) as Item];
  const isComplete = !isCutShort && !isJoined && !hasGap(firstEvent.index, lastEvent.index + 1);
  if (isComplete && !isHidden(terms, "state.changed")) judgeAnnouncements(report, events);
  judgeProgress(report, events);
}

interface OpenQuestion {
  token: Json | undefined;
  deadline: number;
  hasExpired: boolean;
}

function judgeStateChanges(
  report: ReportFault,
  { events, terms, hasGap, isJoined }: TwinCourse,
  { items, isTwoWay }: ParsedRecording,
  agent: string,
): void {
  const [firstEvent, lastEvent] = [events[0] as Item, events.at(-1) as Item];
  const isUnseen = isHidden(terms, "state.changed", "tool.invoked", "tool.completed", "output.streaming");
  const isPartial =
    isJoined || isUnseen || hasGap(-1, firstEvent.index) || hasGap(firstEvent.index, lastEvent.index + 1);
  const eventsOfSession = new Set(events);
  const questions: OpenQuestion[] = [];
  const impliedNames = new Set<string>();
  let state: { name: Json | undefined; index: number } | undefined;
  const addImplied = (names: readonly string[]): void => {
    for (const name of names) impliedNames.add(name);
  };
  for (const item of items) {
    const { message, name, from, stamp, index } = item;
    if (from === "subscriber" && String(message.type).endsWith(".reply")) {
      if (questions.some(({ token }) => token === message.reply_token)) addImplied(statesAfterAnswer);
      continue;
    }
    if (!eventsOfSession.has(item)) continue;
    for (const question of questions) {
      if (question.hasExpired || stamp === undefined || stamp < question.deadline) continue;
      question.hasExpired = true;
      addImplied(statesAfterAnswer);
    }
    if (name?.startsWith("awaiting.") === true) {
      const deadline = (stamp ?? Number.NaN) + Number(message.timeout_seconds) * 1e6;
      questions.push({ token: message.reply_token, deadline, hasExpired: false });
      if (item.agent === agent) addImplied(["awaiting_input"]);
    }
    if (item.agent !== agent) continue;
    addImplied(impliedStates[name ?? ""] ?? []);
    if (name !== "state.changed") continue;
    const { from_state: fromState, to_state: toState } = message;
    if (state === undefined) {
      if (!isPartial && fromState !== "idle") report("does not leave idle first");
    } else if (
      fromState !== state.name &&
      !impliedNames.has(String(fromState)) &&
      !hasGap(state.index, index) &&
      !isUnseen
    ) {
      const isUnsure = impliedNames.size > 0 || (questions.length > 0 && !isTwoWay);
      report("leaves a state that it was not in", ...(isUnsure ? ["implied-states"] : []));
    }
    state = { name: toState, index };
    impliedNames.clear();
  }
}

function judgeAnnouncements(report: ReportFault, events: readonly Item[]): void {
  const changes = events.filter(({ name }) => name === "state.changed");
  const isNamed = (state: string): boolean =>
    changes.some(({ message }) => message.from_state === state || message.to_state === state);
  const pairs = { "tool.invoked": "calling_tool", "output.streaming": "writing_output" };
  for (const [event, state] of Object.entries(pairs))
    if (events.some(({ name }) => name === event) && !isNamed(state))
      report(`never changes to ${state}`, "announced-states");
}

function judgeProgress(report: ReportFault, events: readonly Item[]): void {
  const percents = events.flatMap(({ name, message: { progress } }) =>
    name === "progress.updated" && isObject(progress) && typeof progress.percent === "number" ? [progress.percent] : [],
  );
  const fineSteps = percents.filter((percent, index) => index > 0 && percent - (percents[index - 1] as number) < 2);
  if (percents.length > 40 && fineSteps.length >= 40) report("reports progress too finely", "fine-progress");
}
