import type { ScenarioContext } from "../../../../schemas/index.ts";
import { headerForCredential, withCredential } from "../../../base/http/identity.ts";

type NearToken = [description: string, headers: Record<string, string>];

/** Invalid headers that resemble the credential of agent `a`, or the API key of either agent. */
export function nearTokens({ setting }: ScenarioContext): NearToken[] {
  const { headers: settingHeaders = {}, credentials = {} } = setting;
  const { a } = credentials;
  const credentialHeader = a === undefined ? headerForCredential({}) : withCredential(settingHeaders, a).headers;
  const token = /^Bearer +(\S+)$/i.exec(credentialHeader.authorization ?? "")?.[1];
  const keys = [credentials.a, credentials.b].flatMap((credential) => credential?.apikey ?? []);
  const nearKeys = keys.flatMap((key) => [
    ["an API key that begins with a valid one", { "x-api-key": `${key}XYZ` }] as NearToken,
    ...similarSecrets(key).map(([change, text]): NearToken => [`an API key ${change}`, { "x-api-key": text }]),
  ]);
  if (token === undefined) return nearKeys;
  return [
    ...nearKeys,
    ["its token under the scheme Basic", { authorization: `Basic ${token}` }],
    ["its token under the scheme Token", { authorization: `Token ${token}` }],
    ["a token that begins with its token", { authorization: `Bearer ${token}XYZ` }],
    ...similarSecrets(token).map(
      ([change, text]): NearToken => [`its token ${change}`, { authorization: `Bearer ${text}` }],
    ),
  ];
}

/** Strings that resemble the secret, each with a description of the difference. */
function similarSecrets(secret: string): [change: string, text: string][] {
  const swappedCase = secret.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  // A hub may ignore case in secrets that look like base 16 or 32.
  const isCaseSensitive =
    /[g-z]/i.test(secret) && (/[^a-z\d]/i.test(secret) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(secret));
  return [
    ...(secret.length > 1 ? [["without its last character", secret.slice(0, -1)] as [string, string]] : []),
    ...(isCaseSensitive ? [["with upper and lower case swapped", swappedCase] as [string, string]] : []),
  ];
}
