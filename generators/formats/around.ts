import { combine } from "../regex/automaton.ts";

/** Of some formats a regular language that every text of the format lies in. With it the solver proves that a pattern leaves none. */
export const around: Readonly<Record<string, string | undefined>> = {
  date: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  time: "^[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$",
  "date-time": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$",
  ipv4: "^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$",
  uri: "^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$",
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
};

/** Whether it is certain that no text of these formats matches all of the first patterns and none of the others. */
export function isRuledOut(
  formats: readonly string[],
  include: readonly string[],
  exclude: readonly string[],
): boolean {
  const known = formats.map((format) => around[format]).filter((language) => language !== undefined);
  return known.length > 0 && combine([...include, ...known].sort(), exclude)?.isEmpty === true;
}
