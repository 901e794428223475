import { ownMember } from "../../schemas/index.ts";
import { combine } from "../regex/automaton.ts";
import { longestLength, words } from "../regex/words.ts";

const leapDay = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29";
const day =
  "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))";
const date = `(?:${leapDay}|${day})`;
const minute = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
const time = `${minute}:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]${minute})`;
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?";

/** For some formats, a regular language that contains every string of the format. The solver uses it to prove that a pattern allows none of them. */
export const enclosingLanguages: Readonly<Record<string, string | undefined>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  "date-time": `^${date}[Tt]${time}$`,
  ipv4: "^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$",
  uri: "^[A-Za-z][A-Za-z0-9+.-]*:[!-~]*$",
  "uri-reference": "^[!-~]*$",
  ipv6: "^[0-9A-Fa-f:.]{2,45}$",
  duration: "^P[0-9YMWDTHS.,]+$",
  email: `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`,
  "idn-email": "^[^]+@[^]+$",
  hostname: "^[A-Za-z0-9._-]{1,255}$",
  "json-pointer": "^(?:/[^]*)?$",
  "relative-json-pointer": "^[0-9][^]*$",
  uuid: "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
};

/** Whether it is certain that no string of these formats has from `min` to `max` characters. */
export function hasNoTextOfLength(formats: readonly string[], min: number, max: number): boolean {
  const languages = formats
    .map((format) => ownMember(enclosingLanguages, format))
    .filter((language) => language !== undefined);
  if (languages.length === 0 || (min === 0 && max === Number.POSITIVE_INFINITY)) return false;
  const automaton = combine(languages, []);
  if (automaton === undefined) return false;
  const [shortest] = words(automaton, 0, 1000);
  if (shortest !== undefined && max < shortest.length) return true;
  return longestLength(automaton) !== undefined && min > (longestLength(automaton) as number);
}

/** Whether it is certain that no string of these formats matches all of the first patterns and none of the others. */
export function hasNoTextMatching(
  formats: readonly string[],
  include: readonly string[],
  exclude: readonly string[],
): boolean {
  const languages = formats
    .map((format) => ownMember(enclosingLanguages, format))
    .filter((language) => language !== undefined);
  return languages.length > 0 && combine([...include, ...languages].sort(), exclude)?.isEmpty === true;
}
