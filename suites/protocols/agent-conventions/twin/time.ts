import { readTime, type Time } from "../../../packs/twins/time.ts";

/** A time of RFC 3339, 5.6 with 5.7, or with a space; undefined for a text that names no instant. */
export function timeIn(text: string): Time | undefined {
  const time = readTime(text);
  const isWrong = (["short-offset", "hour-24", "leap-elsewhere"] as const).some((remark) => time?.features.has(remark));
  return isWrong ? undefined : time;
}
