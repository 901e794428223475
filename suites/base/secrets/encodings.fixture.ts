import fc from "fast-check";

/** How a server may encode a secret that it repeats. An encoding draws from `choice`, so that only part of the text may be encoded. */
type Encoding = (text: string, choice: (max: number) => number) => string;

const encodeEach =
  (write: (unit: string, choice: (max: number) => number) => string): Encoding =>
  (text, choice) =>
    Array.from(text, (unit) => write(unit, choice)).join("");

const hex = (unit: string): string => (unit.codePointAt(0) as number).toString(16);
const octets = (unit: string): string =>
  [...Buffer.from(unit)].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join("");

const namedEntities: Readonly<Record<string, string>> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
  "/": "sol",
  "\\": "bsol",
  "+": "plus",
  "=": "equals",
  ":": "colon",
  ";": "semi",
  "%": "percnt",
  "#": "num",
  ".": "period",
  ",": "comma",
  "@": "commat",
  "!": "excl",
  $: "dollar",
  "(": "lpar",
  ")": "rpar",
  "*": "ast",
  "?": "quest",
  "^": "Hat",
  "[": "lsqb",
  "]": "rsqb",
  "{": "lcub",
  "}": "rcub",
  "|": "verbar",
  "`": "grave",
};

/** Encodings that can be applied on top of each other. */
export const escapings: Readonly<Record<string, Encoding>> = {
  "JSON, each unit": (text) =>
    Array.from(
      { length: text.length },
      (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  "JSON, here and there": encodeEach((unit, choice) => {
    if (unit === "/" && choice(1) === 1) return "\\/";
    if (choice(2) > 0 || unit.length > 1) return JSON.stringify(unit).slice(1, -1);
    return `\\u${hex(unit).padStart(4, "0").toUpperCase()}`;
  }),
  "JSON, whole": (text) => JSON.stringify(text),
  percent: encodeEach(octets),
  "percent, here and there": encodeEach((unit, choice) =>
    choice(1) === 1 && /[\w-]/.test(unit) ? unit : octets(unit).toUpperCase(),
  ),
  "as a component of an address": (text) => encodeURIComponent(text),
  "HTML, decimal": encodeEach((unit) => `&#${unit.codePointAt(0)};`),
  "HTML, hexadecimal": encodeEach((unit, choice) => `&#x${choice(1) === 1 ? "00" : ""}${hex(unit)};`),
  "HTML, named": (text) =>
    text.replace(/[^\w]/g, (unit) => (unit in namedEntities ? `&${namedEntities[unit]};` : unit)),
  "upper case": (text) => text.replace(/[a-z]/g, (unit) => unit.toUpperCase()),
  "lower case": (text) => text.replace(/[A-Z]/g, (unit) => unit.toLowerCase()),
};

/** Encodings that are applied first, since they leave nothing of the text visible. */
export const codings: Readonly<Record<string, Encoding>> = {
  none: (text) => text,
  "none, as in a form": (text) => encodeURIComponent(text).replaceAll("%20", "+"),
  "base64, in lines": (text, choice) =>
    Buffer.from(text)
      .toString("base64")
      .replace(new RegExp(`.{${4 + choice(12)}}`, "g"), choice(1) === 1 ? "$&\n" : "$&\r\n "),
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64, within more": (text, choice) =>
    Buffer.from(`${"x".repeat(choice(5))}${text}${"y".repeat(choice(5))}`).toString("base64"),
  base64url: (text, choice) => Buffer.from(`${"x".repeat(choice(5))}${text}`).toString("base64url"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal, upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

/** Possible values of a header, long enough not to be a common word. */
export const secrets: fc.Arbitrary<string> = fc.oneof(
  fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/="),
    minLength: 12,
    maxLength: 60,
  }),
  fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 12,
    maxLength: 60,
  }),
);

/** Possible values of a query or a body: letters of all scripts, with spaces. */
export const unicodeSecrets: fc.Arbitrary<string> = fc
  .string({
    unit: fc.constantFrom(..."äöüßéøñçžабвгджλμνξπאבגدمע日本語한국어𝔄😀 aeiou0123456789"),
    minLength: 8,
    maxLength: 40,
  })
  .filter((secret) => secret.trim().length >= 8);

/** A secret as a server repeated it, and the encodings used. */
export interface Echo {
  secret: string;
  echo: string;
  encodings: string[];
}

export const echoes: fc.Arbitrary<Echo> = echoesOf(secrets);

/** Draws a secret and an encoded form of it. */
export function echoesOf(from: fc.Arbitrary<string>): fc.Arbitrary<Echo> {
  return fc
    .tuple(
      from,
      fc.constantFrom(...Object.keys(codings)),
      fc.array(fc.constantFrom(...Object.keys(escapings)), { maxLength: 3 }),
      fc.infiniteStream(fc.nat(1000)),
    )
    .map(([secret, coding, layers, stream]) => {
      const choice = (most: number): number => (stream.next().value as number) % (most + 1);
      // Letter case must not change within base64.
      const usableLayers = layers.filter((layer) => coding.startsWith("none") || !layer.endsWith("case"));
      const coded = (codings[coding] as Encoding)(secret, choice);
      const echo = usableLayers.reduce((text, layer) => (escapings[layer] as Encoding)(text, choice), coded);
      return { secret, echo, encodings: [coding, ...usableLayers] };
    });
}
