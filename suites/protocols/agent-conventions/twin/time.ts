import { readTime, type Time } from "../../../packs/twins/time.ts";

/** Parses a time according to RFC 3339 (sections 5.6 and 5.7), also with a space; undefined for any other string. */
export function parseTime(text: string): Time | undefined {
  const time = readTime(text);
  const isRefused = (["short-offset", "hour-24", "leap-elsewhere"] as const).some((feature) =>
    time?.features.has(feature),
  );
  return isRefused ? undefined : time;
}
