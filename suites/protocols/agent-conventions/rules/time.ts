import { instantOf } from "../../../../schemas/index.ts";

/** An instant in milliseconds, or undefined for a text that names none. */
export function momentOf(text: string): number | undefined {
  const instant = instantOf(text);
  // A leap second is the last of a day in UTC.
  const isWrong = instant !== undefined && /:60[.Zz+-]/.test(text) && Math.floor(instant / 1000) % 86_400 !== 0;
  return isWrong ? undefined : instant;
}

/** Why some readers cannot read a time that RFC 3339 allows; undefined if all can. */
export function oddityOf(text: string): string | undefined {
  if (/^0000/.test(text)) return "is in the year 0, which many calendars do not have";
  if (/:60(\.\d+)?([Zz]|[+-])/.test(text)) return "is a leap second, which many clocks cannot show";
  return /t/.test(text) ? "has a lower-case t, which an application may refuse" : undefined;
}

/** How a text marks UTC: by `Z`, or differently; `other` for another zone. */
export function zoneOf(text: string): "Z" | "UTC" | "other" {
  if (text.endsWith("Z")) return "Z";
  return /(z|[+-]00:00)$/.test(text) ? "UTC" : "other";
}
