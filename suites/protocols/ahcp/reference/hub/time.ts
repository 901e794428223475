const dateTime = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * Milliseconds since 1970 of an RFC 3339 text, with what it has of a fraction; undefined for any other text.
 * A leap second counts as the first moment of the next minute.
 */
export function instant(text: string): number | undefined {
  const found = dateTime.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hours, minutes, seconds, fraction = "0", sign = "+", ahead = "0", also = "0"] = found;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for those of the last century.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  const offset = (sign === "-" ? -1 : 1) * (Number(ahead) * 60 + Number(also)) * 60_000;
  return date.getTime() + Number(fraction) * 1000 - offset;
}

/** RFC 3339 in UTC, to the millisecond. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
