import type { Json } from "../../../../schemas/index.ts";
import { type Remark, type Time, timeOf } from "../../../packs/twins/time.ts";

const wrongRemarks: readonly Remark[] = ["space", "short-offset", "hour-24", "leap-elsewhere"];

/** The time in a text by RFC 3339; undefined for other texts. */
export function strictTimeOf(text: string): Time | undefined {
  const time = timeOf(text);
  return time === undefined || wrongRemarks.some((remark) => time.remarks.has(remark)) ? undefined : time;
}

/** A leap second that is not at the end of June or December, unlike all leap seconds so far. */
export function isOddLeap({ us, remarks }: Time): boolean {
  const next = new Date(us / 1000);
  return remarks.has("leap") && (next.getUTCDate() !== 1 || ![0, 6].includes(next.getUTCMonth()));
}

/** The microseconds of a timestamp; undefined for any other value. */
export function micros(stamp: Json | undefined): number | undefined {
  return typeof stamp === "string" ? strictTimeOf(stamp)?.us : undefined;
}
