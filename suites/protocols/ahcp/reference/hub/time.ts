import { instantOf } from "../../../../../schemas/index.ts";

/** Parses an RFC 3339 timestamp, in which a space may replace the T, to milliseconds since 1970. Returns undefined for any other string. */
export function instant(text: string): number | undefined {
  return instantOf(text.replace(" ", "T"));
}

/** Formats a time as an RFC 3339 timestamp in UTC, with milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
