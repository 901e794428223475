import { isObject, type Json } from "../../../../../schemas/index.ts";
import type { Say } from "../../../../packs/twins/say.ts";
import type { TwinCourse } from "./course.ts";
import type { Item, Recorded } from "./items.ts";
import { isHidden } from "./terms.ts";

const impliedStates: Readonly<Record<string, readonly string[]>> = {
  "tool.invoked": ["calling_tool"],
  "tool.completed": ["thinking", "deciding"],
  "output.streaming": ["writing_output"],
  "handoff.requested": ["handing_off"],
};
const afterAnswers = ["thinking", "deciding", "calling_tool"];

/** Judges the sequence of states of each agent. */
export function states(say: Say, course: TwinCourse, recorded: Recorded): void {
  const { events, terms, hasGap, isCutShort, isJoined } = course;
  for (const agent of new Set(events.map((item) => item.agent))) chain(say, course, recorded, agent);
  const [first, last] = [events[0] as Item, events.at(-1) as Item];
  const isWhole = !isCutShort && !isJoined && !hasGap(first.index, last.index + 1);
  if (isWhole && !isHidden(terms, "state.changed")) judgeAnnouncements(say, events);
  tooFine(say, events);
}

interface OpenQuestion {
  token: Json | undefined;
  deadline: number;
  isOver: boolean;
}

function chain(
  say: Say,
  { events, terms, hasGap, isJoined }: TwinCourse,
  { items, isTwoWay }: Recorded,
  agent: string,
): void {
  const [first, last] = [events[0] as Item, events.at(-1) as Item];
  const isUnseen = isHidden(terms, "state.changed", "tool.invoked", "tool.completed", "output.streaming");
  const isPartial = isJoined || isUnseen || hasGap(-1, first.index) || hasGap(first.index, last.index + 1);
  const own = new Set(events);
  const questions: OpenQuestion[] = [];
  const hints = new Set<string>();
  let state: { name: Json | undefined; index: number } | undefined;
  const imply = (names: readonly string[]): void => {
    for (const name of names) hints.add(name);
  };
  for (const item of items) {
    const { message, name, from, stamp, index } = item;
    if (from === "subscriber" && String(message.type).endsWith(".reply")) {
      if (questions.some(({ token }) => token === message.reply_token)) imply(afterAnswers);
      continue;
    }
    if (!own.has(item)) continue;
    for (const question of questions) {
      if (question.isOver || stamp === undefined || stamp < question.deadline) continue;
      question.isOver = true;
      imply(afterAnswers);
    }
    if (name?.startsWith("awaiting.") === true) {
      const deadline = (stamp ?? Number.NaN) + Number(message.timeout_seconds) * 1e6;
      questions.push({ token: message.reply_token, deadline, isOver: false });
      if (item.agent === agent) imply(["awaiting_input"]);
    }
    if (item.agent !== agent) continue;
    imply(impliedStates[name ?? ""] ?? []);
    if (name !== "state.changed") continue;
    const { from_state: left, to_state: reached } = message;
    if (state === undefined) {
      if (!isPartial && left !== "idle") say("does not leave idle first");
    } else if (left !== state.name && !hints.has(String(left)) && !hasGap(state.index, index) && !isUnseen) {
      const isUnsure = hints.size > 0 || (questions.length > 0 && !isTwoWay);
      say("leaves a state in which it was not", ...(isUnsure ? ["implied-states"] : []));
    }
    state = { name: reached, index };
    hints.clear();
  }
}

function judgeAnnouncements(say: Say, events: readonly Item[]): void {
  const changes = events.filter(({ name }) => name === "state.changed");
  const isNamed = (state: string): boolean =>
    changes.some(({ message }) => message.from_state === state || message.to_state === state);
  const pairs = { "tool.invoked": "calling_tool", "output.streaming": "writing_output" };
  for (const [event, state] of Object.entries(pairs))
    if (events.some(({ name }) => name === event) && !isNamed(state))
      say(`never changes to ${state}`, "announced-states");
}

function tooFine(say: Say, events: readonly Item[]): void {
  const percents = events.flatMap(({ name, message: { progress } }) =>
    name === "progress.updated" && isObject(progress) && typeof progress.percent === "number" ? [progress.percent] : [],
  );
  const fine = percents.filter((percent, index) => index > 0 && percent - (percents[index - 1] as number) < 2);
  if (percents.length > 40 && fine.length >= 40) say("reports progress too finely", "fine-progress");
}
