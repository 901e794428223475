import { isObject } from "../../../schemas/light-entry.ts";
import { addressesIn } from "./address.ts";

/** Names of headers and members that have secret values. */
export const secretNames: RegExp =
  /cookie|auth|token|secret|password|passwd|api-?_?key|signature|session|credential|private/i;

/** Headers that never carry credentials: their values may occur anywhere. */
const plainHeaders = /^(accept|accept-\w+|cache-control|connection|content-type|host|origin|referer|user-agent)$/i;

/** The parts of a header's secret that may be repeated alone: its value without the scheme, and the parts of a login or a cookie. */
export function fromHeader(name: string, value: string): string[] {
  if (plainHeaders.test(name)) return [];
  const withoutScheme = value.replace(/^[\w-]+ +/, "");
  const login = /^basic /i.test(value) ? Buffer.from(withoutScheme, "base64").toString("utf8") : "";
  const crumbs = /cookie/i.test(name) ? value.split(/;\s*/).map((each) => each.slice(each.indexOf("=") + 1)) : [];
  return [value, withoutScheme, ...fromLogin(login), ...crumbs];
}

/** The name and the password, either of which may be a token, and the login as in an address or after `Basic`. */
function fromLogin(login: string): string[] {
  if (login === "") return [];
  const colon = login.indexOf(":");
  const [name, password] = colon === -1 ? [login, ""] : [login.slice(0, colon), login.slice(colon + 1)];
  const whole = `${name}:${password}`;
  return [name, password, whole, Buffer.from(whole).toString("base64")];
}

/** The secrets of an address, even a malformed or oddly spelled one: its login, the values of its query, and query names without a value. */
export function fromUrl(text: string): string[] {
  const found = addressesIn(text).flatMap(({ login, query, url }) => [
    ...fromLogin(login),
    ...fromLogin(decodeText(login)),
    ...(url === undefined ? [] : fromLogin(`${decodeText(url.username)}:${decodeText(url.password)}`)),
    ...query.flatMap(([name, value]) => {
      const secret = value === undefined || value === "" ? name : value;
      return [secret, decodeText(secret), decodeText(secret.replaceAll("+", " "))];
    }),
  ]);
  return found.filter((each) => each !== ":" && !each.includes("{{"));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Members of a configuration below which every text is a secret, unless it only names one. */
const secretMembers = ["credentials", "callbackAuth", "key"];
const names = new Set(["agent", "id", "reference", "header", "alg", "publicKey"]);

/** The secrets in a configuration, or in a part of it such as a target or a setting: in headers, addresses, credentials, keys, and members with such a name. Accepts malformed configurations: error messages about them must not contain the secrets either. */
export function secretsIn(config: unknown): string[] {
  const found: string[] = [];
  const walk = (value: unknown, name: string, isSecret: boolean, isHeader: boolean): void => {
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value);
      if (isHeader) found.push(...fromHeader(name, text));
      else if (isSecret && !names.has(name)) found.push(text, ...fromHeader("authorization", text));
      found.push(...fromUrl(text));
      return;
    }
    if (Array.isArray(value)) for (const each of value) walk(each, name, isSecret, isHeader);
    if (!isObject(value)) return;
    for (const [member, each] of Object.entries(value)) {
      const isNamed = secretMembers.includes(member) || (!isHeader && secretNames.test(member));
      // A hook is named after its result, and its address is not a secret because of that name.
      walk(each, member, isSecret || (isNamed && name !== "hooks"), name === "headers" || isHeader);
    }
  };
  walk(config, "", false, false);
  return [...new Set(found)].filter((each) => each !== "");
}
