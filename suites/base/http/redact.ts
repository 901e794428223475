import { type Hider, redactedText, secretNames } from "../secrets/index.ts";

/** The number of characters of a body that an exchange keeps, and of the part searched for secrets. */
const shownBody = 4096;
const readBody = 4 * shownBody;

/** A hostile server may invent new header names for ever. */
const maxNames = 1000;

export interface Redactor {
  headers(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string>;
  text(text: string): string;
  /** The part of a body that an exchange keeps. */
  body(body: string): string;
}

/** Makes a redactor that hides the values of headers with secret names, of configured headers, and secrets that a server repeats. */
export function createRedactor(configured: Readonly<Record<string, string>>, { text }: Hider): Redactor {
  const names = new Set(Object.keys(configured).map((name) => name.toLowerCase()));
  // Servers send the same few headers over and over.
  const isSecret = new Map<string, boolean>();
  const isHidden = (name: string): boolean => {
    const knownAnswer = isSecret.get(name);
    if (knownAnswer !== undefined) return knownAnswer;
    const secret =
      names.has(name.toLowerCase()) || (secretNames.test(name) && !/^(www|proxy)-authenticate$/i.test(name));
    if (isSecret.size < maxNames) isSecret.set(name, secret);
    return secret;
  };
  return {
    text,
    // Secrets are hidden before the cut, so that no part of one remains.
    body: (body) => cut(text(cut(body, readBody)), shownBody),
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

/** Headers with one text each. */
export function joinHeaderValues(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  if (areSingle(headers)) return headers;
  const presentHeaders = Object.entries(headers).filter(
    (each): each is [string, string | string[]] => each[1] !== undefined,
  );
  return Object.fromEntries(
    presentHeaders.map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")]),
  );
}

function areSingle(headers: Readonly<Record<string, unknown>>): headers is Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== "string") return false;
  return true;
}
