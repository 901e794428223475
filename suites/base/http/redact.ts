import { type Hider, redactedText, secretNames } from "../secrets/index.ts";

/** How many characters of a body an exchange keeps, and how many are searched for secrets. */
const keptLength = 4096;
const searchedLength = 4 * keptLength;

/** The cache of header names is limited: a hostile server may invent new ones forever. */
const maxCachedNames = 1000;

export interface Redactor {
  headers(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string>;
  text(text: string): string;
  /** The part of a body that an exchange keeps. */
  body(body: string): string;
}

/** Makes a redactor that hides the values of headers with secret names, of configured headers, and secrets that a server repeats. */
export function createRedactor(configured: Readonly<Record<string, string>>, { text }: Hider): Redactor {
  const configuredNames = new Set(Object.keys(configured).map((name) => name.toLowerCase()));
  // Servers send the same few headers over and over.
  const isSecretByName = new Map<string, boolean>();
  const isHidden = (name: string): boolean => {
    const cached = isSecretByName.get(name);
    if (cached !== undefined) return cached;
    const isSecret =
      configuredNames.has(name.toLowerCase()) || (secretNames.test(name) && !/^(www|proxy)-authenticate$/i.test(name));
    if (isSecretByName.size < maxCachedNames) isSecretByName.set(name, isSecret);
    return isSecret;
  };
  return {
    text,
    // Secrets are hidden before the cut, so that no part of one remains.
    body: (body) => cut(text(cut(body, searchedLength)), keptLength),
    headers(headers) {
      const shownHeaders: Record<string, string> = {};
      for (const [name, value] of Object.entries(joinHeaderValues(headers))) {
        const safeText = isHidden(name) ? redactedText : text(value);
        Object.defineProperty(shownHeaders, text(name), {
          value: safeText,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return shownHeaders;
    },
  };
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** Joins repeated headers, so that each has one string. */
export function joinHeaderValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  if (haveSingleValues(headers)) return headers;
  const presentHeaders = Object.entries(headers).filter(
    (header): header is [string, string | string[]] => header[1] !== undefined,
  );
  return Object.fromEntries(
    presentHeaders.map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")]),
  );
}

function haveSingleValues(headers: Readonly<Record<string, unknown>>): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== "string") return false;
  return true;
}
