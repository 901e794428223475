import type { ScenarioContext } from "../../../../schemas/index.ts";
import { headerOf, identified } from "../../../http/identity.ts";

type Near = [what: string, headers: Record<string, string>];

/** Headers that come close to the credential of agent `a`, or to an API key of either, and show none. */
export function nearly({ setting }: ScenarioContext): Near[] {
  const { headers: given = {}, credentials = {} } = setting;
  const { a } = credentials;
  const shown = a === undefined ? headerOf({}) : identified(given, a).headers;
  const token = /^Bearer +(\S+)$/i.exec(shown.authorization ?? "")?.[1];
  const keys = [credentials.a, credentials.b].flatMap((each) => each?.apikey ?? []);
  const longer = keys.map((key): Near => ["an API key that begins with one", { "x-api-key": `${key}XYZ` }]);
  if (token === undefined) return longer;
  return [
    ...longer,
    ["its token under the scheme Basic", { authorization: `Basic ${token}` }],
    ["its token under the scheme Token", { authorization: `Token ${token}` }],
    ["a token that begins with its token", { authorization: `Bearer ${token}XYZ` }],
  ];
}
