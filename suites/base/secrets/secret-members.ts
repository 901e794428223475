import { isObject } from "../../../schemas/light-entry.ts";
import { addressesIn } from "./address.ts";

/** Names of headers and members that have secret values. */
export const secretNames: RegExp =
  /cookie|auth|token|secret|password|passwd|api-?_?key|signature|session|credential|private/i;

/** Headers that never carry credentials: their values may occur anywhere. */
const plainHeaders = /^(accept|accept-\w+|cache-control|connection|content-type|host|origin|referer|user-agent)$/i;

/** Finds the secrets in a header: its value, with and without the scheme, and the parts of a login or a cookie. */
export function secretsInHeader(name: string, value: string): string[] {
  if (plainHeaders.test(name)) return [];
  const withoutScheme = value.replace(/^[\w-]+ +/, "");
  const login = /^basic /i.test(value) ? Buffer.from(withoutScheme, "base64").toString("utf8") : "";
  const cookieValues = /cookie/i.test(name)
    ? value.split(/;\s*/).map((crumb) => crumb.slice(crumb.indexOf("=") + 1))
    : [];
  return [value, withoutScheme, ...secretsInLogin(login), ...cookieValues];
}

/** Returns the name and the password of a login, since either may be a token, and both together as in an address or after `Basic`. */
function secretsInLogin(login: string): string[] {
  if (login === "") return [];
  const colon = login.indexOf(":");
  const [name, password] = colon === -1 ? [login, ""] : [login.slice(0, colon), login.slice(colon + 1)];
  const whole = `${name}:${password}`;
  return [name, password, whole, Buffer.from(whole).toString("base64")];
}

/** Finds the secrets of an address, even if it is malformed or oddly spelled: its login, the values of its query, and query names without a value. */
export function secretsInUrl(text: string): string[] {
  const secrets = addressesIn(text).flatMap(({ login, query, url }) => [
    ...secretsInLogin(login),
    ...secretsInLogin(decodeText(login)),
    ...(url === undefined ? [] : secretsInLogin(`${decodeText(url.username)}:${decodeText(url.password)}`)),
    ...query.flatMap(([name, value]) => {
      const secret = value === undefined || value === "" ? name : value;
      return [secret, decodeText(secret), decodeText(secret.replaceAll("+", " "))];
    }),
  ]);
  return secrets.filter((secret) => secret !== ":" && !secret.includes("{{"));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Members of a configuration that contain only secrets, apart from the members in `publicNames`. */
const secretMembers = ["credentials", "callbackAuth", "key"];
const publicNames = new Set(["agent", "id", "reference", "header", "alg", "publicKey"]);

/** Finds the secrets in a configuration, or in a part of it such as a target or a setting: in headers, addresses, credentials, keys, and members with the name of a secret. Accepts malformed configurations: error messages about them must not contain the secrets either. */
export function secretsIn(config: unknown): string[] {
  const secrets: string[] = [];
  const walk = (value: unknown, name: string, isSecret: boolean, isHeader: boolean): void => {
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      if (isHeader) secrets.push(...secretsInHeader(name, text));
      else if (isSecret && !publicNames.has(name)) secrets.push(text, ...secretsInHeader("authorization", text));
      secrets.push(...secretsInUrl(text));
      return;
    }
    if (Array.isArray(value)) for (const each of value) walk(each, name, isSecret, isHeader);
    if (!isObject(value)) return;
    for (const [member, each] of Object.entries(value)) {
      const isSecretName = secretMembers.includes(member) || (!isHeader && secretNames.test(member));
      // A hook is named after its result, and its address is not a secret because of that name.
      walk(each, member, isSecret || (isSecretName && name !== "hooks"), name === "headers" || isHeader);
    }
  };
  walk(config, "", false, false);
  return [...new Set(secrets)].filter((each) => each !== "");
}
