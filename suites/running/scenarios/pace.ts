import { setTimeout as sleep } from "node:timers/promises";
import { type Profile, TargetFailure } from "../../../schemas/index.ts";
import { type AnsweredRequest, limitsWithoutTime, retryDelayOf } from "../../base/http/postponement.ts";
import { whileLimited } from "../../base/http/rate-limit.ts";
import { sharedBound } from "./bounds.ts";

/** The maximum number of repetitions of one request. */
const maxRepetitions = 4;
/** The longest wait by default, in milliseconds. */
const defaultLongestWait = sharedBound({}, "busy");

/** Returns the milliseconds after which an answer asks to repeat the request; undefined if it does not, or if that is too long. */
export function requestedWait(
  answer: AnsweredRequest,
  tries: number,
  later?: Profile["http"]["later"],
  longestWait: number = defaultLongestWait,
): number | undefined {
  if (tries >= maxRepetitions) return undefined;
  const date = Date.parse(answer.headers.date ?? "");
  const wait = retryDelayOf(answer, later, Number.isFinite(date) ? date : Date.now());
  // Retry-After has whole seconds, so wait slightly longer.
  return wait !== undefined && wait <= longestWait ? wait + 100 : undefined;
}

/** The maximum number of repetitions of a request to a busy server. */
const maxBusyTries = 20;

/** Repeats a request until the server is no longer busy (503 with Retry-After: RFC 9110, 15.6.4). A busy server has not processed the request. Calls `extend` for each wait. Throws a TargetFailure if the server stays busy, because that does not show how it answers the request. */
export async function onceNotBusy<T extends AnsweredRequest>(
  ask: () => Promise<T>,
  extend: (milliseconds: number) => void,
  signal: AbortSignal,
  longestWait: number = defaultLongestWait,
): Promise<T> {
  for (let [tries, waitedMs] = [0, 0]; ; tries++) {
    const answer = await ask();
    const wait = waitWhileBusy(answer, tries, waitedMs, longestWait);
    if (wait === undefined) return answer;
    waitedMs += wait;
    extend(wait);
    await whileLimited(answer, () => sleep(wait, undefined, { signal }));
  }
}

function waitWhileBusy(
  answer: AnsweredRequest,
  tries: number,
  waitedMs: number,
  longestWait: number,
): number | undefined {
  if (answer.status !== 503) return undefined;
  const date = Date.parse(answer.headers.date ?? "");
  const wait = retryDelayOf(answer, undefined, Number.isFinite(date) ? date : Date.now());
  if (wait === undefined || Number.isNaN(wait)) return undefined;
  if (tries < maxBusyTries && waitedMs + wait <= longestWait) return wait === 0 ? 0 : wait + 100;
  const reason = `the server is busy (HTTP 503, Retry-After ${answer.headers["retry-after"]}) for all ${tries + 1} tries`;
  throw new TargetFailure("errored", "answer", `${reason}: see that it is not under load otherwise`);
}

/** Throws a TargetFailure if a target limits requests (429) for too long, because that does not show how it answers the request. */
export function mustNotLimitLonger(
  answer: AnsweredRequest,
  later?: Profile["http"]["later"],
  longestWait: number = defaultLongestWait,
): void {
  if (answer.status !== 429 || requestedWait(answer, 0, later, longestWait) !== undefined) return;
  const wait = retryDelayOf(answer, later, Date.now());
  const reason =
    wait === undefined || Number.isNaN(wait)
      ? limitsWithoutTime
      : `the server limits requests, and asks to wait ${Math.ceil(wait / 1000)} s, more than ${longestWait / 1000}: raise its limit for the test`;
  throw new TargetFailure("errored", "answer", `${reason} (HTTP 429)`);
}
