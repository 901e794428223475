import { combine } from "../regex/automaton.ts";
import { longestLength, words } from "../regex/words.ts";

/** Of some formats a regular language that every text of the format lies in. With it the solver proves that a pattern leaves none. */
export const around: Readonly<Record<string, string | undefined>> = {
  date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  time: "^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$",
  "date-time": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$",
  ipv4: "^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$",
  uri: "^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$",
  "uri-reference": "^[!-~]*$",
  ipv6: "^[0-9A-Fa-f:.]{2,45}$",
  duration: "^P[0-9YMWDTHS.,]+$",
  email: "^[^]+@[^]+$",
  "idn-email": "^[^]+@[^]+$",
  hostname: "^[A-Za-z0-9._-]{1,255}$",
  "json-pointer": "^(?:/[^]*)?$",
  "relative-json-pointer": "^[0-9][^]*$",
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
};

/** Whether it is certain that no text of these formats has from `min` to `max` characters. */
export function isOutOfReach(formats: readonly string[], min: number, max: number): boolean {
  const known = formats.map((format) => around[format]).filter((language) => language !== undefined);
  if (known.length === 0 || (min === 0 && max === Number.POSITIVE_INFINITY)) return false;
  const automaton = combine(known, []);
  if (automaton === undefined) return false;
  const [shortest] = words(automaton, 0, 1000);
  if (shortest !== undefined && max < shortest.length) return true;
  return longestLength(automaton) !== undefined && min > (longestLength(automaton) as number);
}

/** Whether it is certain that no text of these formats matches all of the first patterns and none of the others. */
export function isRuledOut(
  formats: readonly string[],
  include: readonly string[],
  exclude: readonly string[],
): boolean {
  const known = formats.map((format) => around[format]).filter((language) => language !== undefined);
  return known.length > 0 && combine([...include, ...known].sort(), exclude)?.isEmpty === true;
}
