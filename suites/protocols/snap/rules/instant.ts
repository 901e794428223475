/** A timestamp by RFC 3339, with groups for each field. */
const timestampForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Explains why a well-formed timestamp does not exist. Undefined if it exists, or is not well-formed. */
export function whyNoInstant(text: string): string | undefined {
  const [match, ...parts] = timestampForm.exec(text) ?? [];
  if (match === undefined) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const [fraction = "", sign = "+", ...offset] = parts.slice(6);
  const [offsetHour = 0, offsetMinute = 0] = offset.map((digits) => Number(digits ?? 0));
  if (month < 1 || month > 12) return `has the month ${parts[1]}`;
  if (day < 1 || day > daysIn(year, month)) return `has the day ${parts[2]} in month ${parts[1]} of ${parts[0]}`;
  // In ISO 8601, hour 24 is the end of the day.
  const isMidnight = hour === 24 && minute === 0 && second === 0 && /^0*$/.test(fraction);
  if (hour > 23 && !isMidnight) return `has the hour ${parts[3]}`;
  if (minute > 59) return `has the minute ${parts[4]}`;
  if (offsetHour > 23 || offsetMinute > 59) return "has an offset of a day or more, or of an hour in minutes";
  const utcMinutes = hour * 60 + minute - (sign === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  // A leap second is always the last second of a day in UTC.
  const isLeap = second === 60 && (utcMinutes + minutesPerDay) % minutesPerDay === minutesPerDay - 1;
  return second > 59 && !isLeap ? `has the second ${parts[5]}` : undefined;
}

const minutesPerDay = 1440;

/** Returns the number of days of a month in the proleptic Gregorian calendar of ISO 8601. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
