/** What may be held against a time that RFC 3339 allows. */
export type Remark = "leap" | "space" | "lower-t" | "lower-z" | "zero-offset" | "offset" | "year-0";

export interface Time {
  /** Milliseconds since 1970. */
  instant: number;
  remarks: Remark[];
}

const form = /^(\d{4})-(\d\d)-(\d\d)([Tt ])(\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339, 5.6 with 5.7; undefined for a text that names no instant. */
export function timeOf(text: string): Time | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, year = "", month, day, apart, hour, minute, second, fraction = "", zone = ""] = found;
  const offset = offsetOf(zone);
  const isReal =
    isDay(Number(year), Number(month), Number(day)) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
  if (!isReal || offset === undefined) return undefined;
  const date = new Date(Date.UTC(2000, 0, 1, Number(hour), Number(minute), Math.min(59, Number(second))));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const whole = new Date(date.getTime() - offset);
  const isLeap = Number(second) === 60;
  if (isLeap && (whole.getUTCHours() !== 23 || whole.getUTCMinutes() !== 59)) return undefined;
  const remarks: [Remark, boolean][] = [
    ["leap", isLeap],
    ["space", apart === " "],
    ["lower-t", apart === "t"],
    ["lower-z", zone === "z"],
    ["zero-offset", /^[+-]00:00$/.test(zone)],
    ["offset", offset !== 0],
    ["year-0", year === "0000"],
  ];
  return {
    instant: whole.getTime() + Number(`0${fraction}`) * 1000 + (isLeap ? 1000 : 0),
    remarks: remarks.flatMap(([remark, holds]) => (holds ? [remark] : [])),
  };
}

/** In milliseconds; undefined for one that there is not. */
function offsetOf(zone: string): number | undefined {
  if (/^[Zz]$/.test(zone)) return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function isDay(year: number, month: number, day: number): boolean {
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}
