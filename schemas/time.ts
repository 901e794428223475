/** A date-time of RFC 3339, section 5.6. */
const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 date-time, with its fraction; undefined for any other text, and for a date or an hour that does not exist.
 * A leap second counts as the first moment of the next minute.
 */
export function instantOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = "0", sign, hours = "0", minutes = "0"] =
    dateTime.exec(text) ?? [];
  if (year === undefined) return undefined;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isTime || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return date.getTime() + Number(fraction) * 1000 - offset;
}
