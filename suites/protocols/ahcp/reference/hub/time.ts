import { instantOf } from "../../../../../schemas/index.ts";

/** The milliseconds since 1970 of an RFC 3339 timestamp, in which a space may replace the T; undefined for any other text. */
export function instant(text: string): number | undefined {
  return instantOf(text.replace(" ", "T"));
}

/** The RFC 3339 timestamp of a time, in UTC with milliseconds. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
