/** RFC 3339, 5.6, with the parts of it. */
const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** An instant in milliseconds, or undefined for a text that names none. A leap second is the second after. */
export function instantOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = "", zone = ""] = form.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [hours = 0, minutes = 0] = /^[Zz]$/.test(zone) ? [] : zone.slice(1).split(":").map(Number);
  const days = daysIn(Number(year), Number(month));
  const inRange =
    Number(day) >= 1 && Number(day) <= days && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!inRange || hours > 23 || minutes > 59) return undefined;
  const offset = (hours * 60 + minutes) * (zone.startsWith("-") ? -60_000 : 60_000);
  const whole = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  // A leap second is the last of a day in UTC.
  if (second === "60" && (whole - offset) % 86_400_000 !== 0) return undefined;
  return whole + Number(`0.${fraction || "0"}`) * 1000 - offset;
}

/** Why many readers cannot take a time that RFC 3339 allows; undefined where all can. */
export function oddityOf(text: string): string | undefined {
  if (/^0000/.test(text)) return "is in the year 0, which many calendars do not have";
  if (/:60(\.\d+)?([Zz]|[+-])/.test(text)) return "is a leap second, which many clocks cannot say";
  return /t/.test(text) ? "has a small t, which an application may refuse" : undefined;
}

/** Whether the text says that it is in UTC, and how: by `Z`, or otherwise. */
export function zoneOf(text: string): "Z" | "UTC" | "other" {
  if (text.endsWith("Z")) return "Z";
  return /(z|[+-]00:00)$/.test(text) ? "UTC" : "other";
}

function daysIn(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
