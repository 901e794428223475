import type { ScenarioContext } from "../../../../schemas/index.ts";
import { headerOf, withCredential } from "../../../base/http/identity.ts";

type Near = [what: string, headers: Record<string, string>];

/** Headers similar to the credential of agent `a`, or to an API key of either agent, that show none. */
export function nearTokens({ setting }: ScenarioContext): Near[] {
  const { headers: given = {}, credentials = {} } = setting;
  const { a } = credentials;
  const shown = a === undefined ? headerOf({}) : withCredential(given, a).headers;
  const token = /^Bearer +(\S+)$/i.exec(shown.authorization ?? "")?.[1];
  const keys = [credentials.a, credentials.b].flatMap((each) => each?.apikey ?? []);
  const near = keys.flatMap((key) => [
    ["an API key that begins with a valid one", { "x-api-key": `${key}XYZ` }] as Near,
    ...changeToken(key).map(([how, text]): Near => [`an API key ${how}`, { "x-api-key": text }]),
  ]);
  if (token === undefined) return near;
  return [
    ...near,
    ["its token under the scheme Basic", { authorization: `Basic ${token}` }],
    ["its token under the scheme Token", { authorization: `Token ${token}` }],
    ["a token that begins with its token", { authorization: `Bearer ${token}XYZ` }],
    ...changeToken(token).map(([how, text]): Near => [`its token ${how}`, { authorization: `Bearer ${text}` }]),
  ];
}

/** Texts that no longer equal a secret, with a description of the change. */
function changeToken(secret: string): [how: string, text: string][] {
  const swapped = secret.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  // Bytes written in base 16 or 32 are the same in either case.
  const isCased = /[g-z]/i.test(secret) && (/[^a-z\d]/i.test(secret) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(secret));
  return [
    ...(secret.length > 1 ? [["without its last character", secret.slice(0, -1)] as [string, string]] : []),
    ...(isCased ? [["in the other case", swapped] as [string, string]] : []),
  ];
}
