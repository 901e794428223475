import { equal, isObject, type Json, type Profile, pointer } from "../../../schemas/index.ts";

/** An answer; `json` is undefined if its body is not JSON. */
export interface AnsweredRequest {
  status: number;
  headers: Readonly<Record<string, string>>;
  json: Json | undefined;
}

/** Whether a server limits requests: status 429, or status 503 with the time of its return (RFC 9110, section 15.6.4). */
export function isRateLimited({ status, headers }: Pick<AnsweredRequest, "status" | "headers">): boolean {
  return status === 429 || (status === 503 && headers["retry-after"] !== undefined);
}

/** The message for an answer with status 429 but no Retry-After. */
export const limitsWithoutTime =
  "the server limits requests, and does not say for how long: raise its limit for the test";

/** Returns the milliseconds after which an answer asks the client to retry, by its status or by the profile; undefined if it does not ask. */
export function retryDelayOf(
  { status, headers, json }: AnsweredRequest,
  later: Profile["http"]["later"],
  now: number,
): number | undefined {
  const asksByBody =
    later !== undefined &&
    isObject(json) &&
    Object.entries(later.equal).every(([path, expected]) => {
      const member = pointer.at(path, json);
      return member !== undefined && equal(member, expected);
    });
  if (!isRateLimited({ status, headers }) && !asksByBody) return undefined;
  const retryAfter = headers["retry-after"];
  if (retryAfter !== undefined)
    return Math.max(0, /^[0-9]+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now);
  const seconds = asksByBody ? pointer.at(later.seconds, json) : undefined;
  return typeof seconds === "number" ? Math.max(0, seconds * 1000) : undefined;
}
