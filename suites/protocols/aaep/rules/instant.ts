const form =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]{3}|\.[0-9]{6})?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/** Whether a text has the form of an event's timestamp, with numbers of any size. */
export function hasForm(text: string): boolean {
  return form.test(text);
}

/** Whether an event may have this timestamp: upper-case `T` and `Z`, no fraction or 3 or 6 digits of it, and an existing instant. */
export function isInstant(text: string): boolean {
  const parts = form.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  const [hours, minutes] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || hours > 23 || minutes > 59) return false;
  if (second < 60) return true;
  // A leap second ends a day in UTC, regardless of the local time.
  const east = (parts[7] === "-" ? -1 : 1) * (hours * 60 + minutes);
  return second === 60 && (hour * 60 + minute - east + 2880) % 1440 === 1439;
}

type Six = [number, number, number, number, number, number];

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
