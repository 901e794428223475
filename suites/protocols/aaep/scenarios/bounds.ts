import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type AaepBound =
  | "headers"
  | "event"
  | "silence"
  | "default"
  | "timeout"
  | "given-up"
  | "open-question"
  | "start-up"
  | "subscriber";

/** The maximum times that scenarios wait. */
export const bounds: readonly (TimeBound & { name: AaepBound })[] = [
  {
    name: "headers",
    seconds: 1,
    says: "the headers of a stream, before a plain session is started to cause them",
  },
  {
    name: "event",
    seconds: 5,
    says: "an event, an answer or the end of a connection that is due; twice as long for the end of a session without a subscriber to ask",
  },
  {
    name: "silence",
    seconds: 30,
    says: "the event after an answer, while other sessions run from start to end; after more than `event` it is a warning",
  },
  {
    name: "default",
    seconds: 2,
    says: "the default of a question, after its deadline; or 5 % of its timeout, if that is more",
  },
  {
    name: "timeout",
    seconds: 20,
    says: "the timeout of a question, if no clock moves it; questions for longer are skipped",
  },
  { name: "given-up", seconds: 20, says: "the end of a call that its tool never answers" },
  {
    name: "open-question",
    seconds: 5,
    says: "an action that must not precede its answer; or half the timeout, if that is less",
  },
  { name: "start-up", seconds: 15, says: "the first line of a producer that is started as a command" },
  {
    name: "subscriber",
    seconds: 5,
    says: "a message, an item or the withdrawal of an item by a subscriber; twice as long for its connection",
  },
];

/** Returns the milliseconds of a bound for an event that every judgement needs. No scale shortens them, because the wait ends with the event. */
export function unscaledBound(
  { setting }: { setting: Pick<Setting, "bounds" | "timeScale"> },
  name: AaepBound,
): number {
  return boundOf({ setting }, name) / Math.min(1, setting.timeScale ?? 1);
}

/** Returns the milliseconds of a bound, from the configuration or by default, before `timeScale` multiplies them. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: AaepBound): number {
  return boundIn(bounds, setting, name);
}
