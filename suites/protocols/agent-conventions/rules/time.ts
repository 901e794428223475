import { instantOf } from "../../../../schemas/index.ts";

/** Parses a time to milliseconds; undefined if it is not valid. */
export function momentOf(text: string): number | undefined {
  const instant = instantOf(text);
  // A leap second is valid only as the last second of a day in UTC.
  const isMisplacedLeapSecond =
    instant !== undefined && /:60[.Zz+-]/.test(text) && Math.floor(instant / 1000) % 86_400 !== 0;
  return isMisplacedLeapSecond ? undefined : instant;
}

/** The reason why some readers refuse a time that RFC 3339 allows; undefined if there is none. */
export function oddityOf(text: string): string | undefined {
  if (/^0000/.test(text)) return "is in the year 0, which many calendars do not have";
  if (/:60(\.\d+)?([Zz]|[+-])/.test(text)) return "is a leap second, which many clocks cannot show";
  return /t/.test(text) ? "has a lower-case t, which an application may refuse" : undefined;
}

/** The zone of a time: UTC written as `Z`, UTC written differently, or another zone. */
export function zoneOf(text: string): "Z" | "UTC" | "other" {
  if (text.endsWith("Z")) return "Z";
  return /(z|[+-]00:00)$/.test(text) ? "UTC" : "other";
}
