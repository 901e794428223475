/** How a text is spelt as a time: by RFC 3339, only nearly so, with a second 60, or not at all. */
export type Spelling = "right" | "loose" | "leap" | "wrong";

const form = /^(\d{4})-(\d\d)-(\d\d)([Tt ])(\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d(?::?\d\d)?)$/;

export function spellingOf(text: string): Spelling {
  const parts = form.exec(text);
  if (parts === null || text.endsWith("\n")) return "wrong";
  const [, year, month, day, separator, hour, minute, second, offset = ""] = parts;
  const [y, m, d, h, i, s] = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (m < 1 || m > 12 || d < 1 || h > 23 || i > 59 || s > 60) return "wrong";
  const isLeap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  if (d > ([31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1] as number)) return "wrong";
  const zone = /^[+-](\d\d):?(\d\d)?$/.exec(offset);
  if (zone !== null && (Number(zone[1]) > 23 || Number(zone[2] ?? 0) > 59)) return "wrong";
  if (s === 60) return "leap";
  return separator === " " || !/^([Zz]|[+-]\d\d:\d\d)$/.test(offset) ? "loose" : "right";
}
