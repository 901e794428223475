import type { ScenarioContext } from "../../../../schemas/index.ts";
import { headerOf, identified } from "../../../http/identity.ts";

/** Headers that come close to the credential of agent `a`, and show none. None where it has no bearer token. */
export function nearly({ setting }: ScenarioContext): [what: string, headers: Record<string, string>][] {
  const { headers: given = {}, credentials = {} } = setting;
  const { a } = credentials;
  const shown = a === undefined ? headerOf({}) : identified(given, a).headers;
  const token = /^Bearer +(\S+)$/i.exec(shown.authorization ?? "")?.[1];
  if (token === undefined) return [];
  return [
    ["its token under the scheme Basic", { authorization: `Basic ${token}` }],
    ["its token under the scheme Token", { authorization: `Token ${token}` }],
    ["a token that begins with its token", { authorization: `Bearer ${token}XYZ` }],
  ];
}
