/** Date, time, an optional fraction of 3 or 6 digits, and `Z` or an offset. The parts are captured for `isInstant`. */
const timestampPattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{3}|\.[0-9]{6})?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/** Whether a string has the form of an event's timestamp, even if its numbers are out of range. */
export function hasTimestampForm(text: string): boolean {
  return timestampPattern.test(text);
}

/** Whether an event may have this timestamp. It must exist, its `T` and `Z` must be upper-case, and a fraction must have 3 or 6 digits. */
export function isInstant(text: string): boolean {
  const match = timestampPattern.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as SixNumbers;
  const [offsetHours, offsetMinutes] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || offsetHours > 23 || offsetMinutes > 59)
    return false;
  if (second < 60) return true;
  // A leap second ends a day in UTC, regardless of the local time.
  const offset = (match[7] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const minuteInUtc = hour * 60 + minute - offset;
  return second === 60 && (minuteInUtc + 2 * minutesPerDay) % minutesPerDay === minutesPerDay - 1;
}

const minutesPerDay = 24 * 60;

type SixNumbers = [number, number, number, number, number, number];

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
