import { instantOf } from "../../../../../schemas/index.ts";

/** Milliseconds since 1970 of an RFC 3339 text, which may have a space for its T; undefined for any other text. */
export function instant(text: string): number | undefined {
  return instantOf(text.replace(" ", "T"));
}

/** RFC 3339 in UTC, to the millisecond. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
