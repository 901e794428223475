import type { Json } from "../../../../schemas/index.ts";
import { readTime, type Time, type TimeFeature } from "../../../packs/twins/time.ts";

const forbiddenFeatures: readonly TimeFeature[] = ["space", "short-offset", "hour-24", "leap-elsewhere"];

/** Parses a time of RFC 3339. Undefined for other strings. */
export function strictTimeOf(text: string): Time | undefined {
  const time = readTime(text);
  return time === undefined || forbiddenFeatures.some((feature) => time.features.has(feature)) ? undefined : time;
}

/** Whether a time is a leap second that is not at the end of June or December, unlike all leap seconds so far. */
export function isUnusualLeapSecond({ us, features }: Time): boolean {
  const followingSecond = new Date(us / 1000);
  return (
    features.has("leap") && (followingSecond.getUTCDate() !== 1 || ![0, 6].includes(followingSecond.getUTCMonth()))
  );
}

/** Reads a timestamp as microseconds. Undefined for any other value. */
export function microsecondsOf(stamp: Json | undefined): number | undefined {
  return typeof stamp === "string" ? strictTimeOf(stamp)?.us : undefined;
}
