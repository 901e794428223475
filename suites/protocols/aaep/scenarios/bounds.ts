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

/** For how long scenarios wait. */
export const bounds: readonly (TimeBound & { name: AaepBound })[] = [
  {
    name: "headers",
    seconds: 1,
    says: "the headers of a stream, before a plain session is started to bring them about",
  },
  {
    name: "event",
    seconds: 5,
    says: "an event, an answer or the end of a connection that is due; twice as long for the end of a session that no subscriber can be asked about",
  },
  {
    name: "silence",
    seconds: 30,
    says: "the event that follows an answer, while other sessions go from start to end; after more than `event` it is a warning",
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
    says: "an action that must not come before its answer; or half the timeout, if that is less",
  },
  { name: "start-up", seconds: 15, says: "the first line of a producer that is a command" },
  {
    name: "subscriber",
    seconds: 5,
    says: "a message, an item or the withdrawal of an item by a subscriber; twice as long for its connection",
  },
];

/** Milliseconds of a bound for an event without which nothing can be judged: no scale makes them less, since a wait ends with the event. */
export function unscaledBound(
  { setting }: { setting: Pick<Setting, "bounds" | "timeScale"> },
  name: AaepBound,
): number {
  return boundOf({ setting }, name) / Math.min(1, setting.timeScale ?? 1);
}

/** Milliseconds of a bound, as the configuration sets it or by default; before `timeScale` multiplies them. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: AaepBound): number {
  return boundIn(bounds, setting, name);
}
