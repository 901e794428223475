/** Features of a time that some readers accept and others do not. */
export type TimeFeature =
  | "space"
  | "lower-t"
  | "lower-z"
  | "zero-offset"
  | "offset"
  | "short-offset"
  | "year-0"
  | "hour-24"
  | "leap"
  | "leap-elsewhere";

export interface Time {
  /** Microseconds since 1970; a leap second counts as the second after 59. */
  us: number;
  features: ReadonlySet<TimeFeature>;
}

const timePattern = /^(\d{4})-(\d\d)-(\d\d)([Tt ])(\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** Reads a time in the format of RFC 3339, or in similar forms of ISO 8601, and notes the features that readers treat differently. Undefined for any other text. */
export function readTime(text: string): Time | undefined {
  const [, year, month, day, separator, hour, minute, second, fraction = ".0", zone = ""] =
    timePattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  const offset = offsetOf(zone);
  const isMidnight = h === 24 && m === 0 && s === 0 && Number(fraction) === 0;
  if (!isExistingDay(Number(year), Number(month), Number(day)) || offset === undefined) return undefined;
  if ((h > 23 && !isMidnight) || m > 59 || s > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  date.setUTCHours(h, m, Math.min(s, 59));
  const wholeSeconds = new Date(date.getTime() - offset);
  const isLastMinuteOfDay = wholeSeconds.getUTCHours() === 23 && wholeSeconds.getUTCMinutes() === 59;
  const features: [TimeFeature, boolean][] = [
    ["space", separator === " "],
    ["lower-t", separator === "t"],
    ["lower-z", zone === "z"],
    ["zero-offset", /^[+-]00(:?00)?$/.test(zone)],
    ["offset", offset !== 0],
    ["short-offset", /^[+-]\d\d(\d\d)?$/.test(zone)],
    ["year-0", year === "0000"],
    ["hour-24", h === 24],
    ["leap", s === 60 && isLastMinuteOfDay],
    ["leap-elsewhere", s === 60 && !isLastMinuteOfDay],
  ];
  return {
    us: wholeSeconds.getTime() * 1000 + (s === 60 ? 1e6 : 0) + Math.floor(Number(`0${fraction}`) * 1e6),
    features: new Set(features.flatMap(([feature, holds]) => (holds ? [feature] : []))),
  };
}

/** The offset in milliseconds; undefined for an offset that does not exist. */
function offsetOf(zone: string): number | undefined {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function isExistingDay(year: number, month: number, day: number): boolean {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}
