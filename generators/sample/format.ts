import { chanceOf, drawBelow, pick, type Random } from "./random.ts";

type MakeFormat = (random: Random) => string;

const two: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Bytes as two hexadecimal digits. */
const pairs: readonly string[] = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));
const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

function characters(random: Random, from: string, least: number, most: number): string {
  let text = "";
  for (let left = least + drawBelow(random, most - least + 1); left > 0; left -= 1)
    text += from[drawBelow(random, from.length)];
  return text;
}

function date(random: Random): string {
  const year = chanceOf(random, 8) ? 1 + drawBelow(random, 9999) : 1970 + drawBelow(random, 130);
  const month = drawBelow(random, 12);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const day = 1 + drawBelow(random, (days[month] as number) + (month === 1 && leap ? 1 : 0));
  return `${String(year).padStart(4, "0")}-${two[month + 1]}-${two[day]}`;
}

function time(random: Random): string {
  const fraction = chanceOf(random, 3) ? `.${characters(random, "0123456789", 1, 9)}` : "";
  const offset = chanceOf(random, 2)
    ? "Z"
    : `${chanceOf(random, 2) ? "+" : "-"}${two[drawBelow(random, 24)]}:${two[drawBelow(random, 60)]}`;
  return `${two[drawBelow(random, 24)]}:${two[drawBelow(random, 60)]}:${two[drawBelow(random, 60)]}${fraction}${offset}`;
}

function duration(random: Random): string {
  if (chanceOf(random, 6)) return `P${drawBelow(random, 60)}W`;
  const units = (names: string) => {
    const from = drawBelow(random, names.length);
    const to = from + 1 + drawBelow(random, names.length - from);
    return [...names.slice(from, to)].map((name) => `${drawBelow(random, 60)}${name}`).join("");
  };
  const clock = () => `T${units("HMS")}`;
  return chanceOf(random, 3) ? `P${clock()}` : `P${units("YMD")}${chanceOf(random, 2) ? clock() : ""}`;
}

function label(random: Random): string {
  const hyphen = chanceOf(random, 6) ? "-" : "";
  return characters(random, letters, 1, 6) + hyphen + characters(random, lettersAndDigits, 1, 4);
}

const domains = ["example", "test", "com", "org"];

function hostname(random: Random): string {
  const name = chanceOf(random, 2) ? label(random) : `${label(random)}.${label(random)}`;
  return `${name}.${pick(random, domains)}`;
}

function ipv4(random: Random): string {
  return Array.from({ length: 4 }, () => (chanceOf(random, 6) ? pick(random, [0, 255]) : drawBelow(random, 256))).join(
    ".",
  );
}

function ipv6(random: Random): string {
  const groups = (count: number) =>
    Array.from({ length: count }, () => drawBelow(random, 0x10000).toString(16)).join(":");
  if (chanceOf(random, 2)) return groups(8);
  const before = drawBelow(random, 6);
  return `${groups(before)}::${groups(drawBelow(random, 6 - before))}`;
}

function uuid(random: Random): string {
  const pair = (bits: number) => pairs[bits & 255];
  const [a, b, c, d] = [random.next(), random.next(), random.next(), random.next()];
  const [third, fourth] = [0x40 | (b & 0x0f), 0x80 | (c & 0x3f)];
  return `${pair(a)}${pair(a >> 8)}${pair(a >> 16)}${pair(a >> 24)}-${pair(b >> 8)}${pair(b >> 16)}-${pair(third)}${pair(b >> 24)}-${pair(fourth)}${pair(c >> 8)}-${pair(c >> 16)}${pair(c >> 24)}${pair(d)}${pair(d >> 8)}${pair(d >> 16)}${pair(d >> 24)}`;
}

const pathLetters = `${lettersAndDigits}-._~!$&'()*+,;=:@`;

function path(random: Random): string {
  let text = "";
  for (let parts = drawBelow(random, 4); parts > 0; parts -= 1)
    text += `/${characters(random, chanceOf(random, 4) ? pathLetters : lettersAndDigits, 1, 10)}${chanceOf(random, 12) ? "%20" : ""}`;
  return text;
}

function tail(random: Random): string {
  const query = chanceOf(random, 4)
    ? `?${characters(random, letters, 1, 6)}=${characters(random, lettersAndDigits, 0, 8)}`
    : "";
  const fragment = chanceOf(random, 6) ? `#${characters(random, lettersAndDigits, 0, 8)}` : "";
  return query + fragment;
}

function uri(random: Random): string {
  const kind = drawBelow(random, 16);
  if (kind === 0) return `urn:uuid:${uuid(random)}`;
  if (kind === 1) return `mailto:${email(random)}`;
  const scheme = kind < 10 ? "https" : kind < 12 ? "http" : kind < 15 ? "wss" : `${label(random)}+x`;
  const user = chanceOf(random, 16) ? `${characters(random, letters, 1, 6)}@` : "";
  const host = chanceOf(random, 12) ? ipv4(random) : chanceOf(random, 24) ? `[${ipv6(random)}]` : hostname(random);
  const port = chanceOf(random, 6) ? `:${1 + drawBelow(random, 65_535)}` : "";
  return `${scheme}://${user}${host}${port}${path(random)}${tail(random)}`;
}

function reference(random: Random): string {
  const kind = drawBelow(random, 4);
  if (kind === 0) return uri(random);
  return kind === 1
    ? `/${characters(random, lettersAndDigits, 0, 8)}${tail(random)}`
    : `${characters(random, letters, 0, 6)}${path(random)}${tail(random)}`;
}

function email(random: Random): string {
  const local = characters(random, `${lettersAndDigits}_+-`, 1, 12);
  return `${local}${chanceOf(random, 3) ? `.${characters(random, lettersAndDigits, 1, 6)}` : ""}@${hostname(random)}`;
}

function pointer(random: Random): string {
  let text = "";
  for (let parts = drawBelow(random, 4); parts > 0; parts -= 1)
    text += `/${characters(random, `${lettersAndDigits}-_. `, 0, 8)}${chanceOf(random, 6) ? pick(random, ["~0", "~1"]) : ""}`;
  return text;
}

function template(random: Random): string {
  const operator = pick(random, ["", "", "+", "#", ".", "/", ";", "?", "&"]);
  return `${chanceOf(random, 2) ? `https://${hostname(random)}` : ""}/{${operator}${characters(random, letters, 1, 8)}}`;
}

function regex(random: Random): string {
  const part = () =>
    pick(random, [characters(random, letters, 1, 4), "[a-z0-9]", "\\d", ".", "(?:x|y)", "\\u0041", "[^,]"]) +
    pick(random, ["", "", "*", "+", "?", "{1,3}"]);
  return `${chanceOf(random, 2) ? "^" : ""}${part()}${part()}${chanceOf(random, 2) ? "$" : ""}`;
}

const nonAsciiLetters = "äößéñжλ漢字한";

/** Strings of each format that every known implementation accepts; if they differ, only strings that all accept are drawn. */
export const formatMakers: Readonly<Record<string, MakeFormat | undefined>> = {
  date,
  time,
  "date-time": (random) => `${date(random)}T${time(random)}`,
  duration,
  email,
  "idn-email": (random) =>
    chanceOf(random, 2) ? email(random) : `${characters(random, nonAsciiLetters, 1, 6)}@${hostname(random)}`,
  hostname,
  "idn-hostname": hostname,
  ipv4,
  ipv6,
  uri,
  "uri-reference": reference,
  iri: (random) =>
    chanceOf(random, 2) ? uri(random) : `https://${hostname(random)}/${characters(random, nonAsciiLetters, 1, 6)}`,
  "iri-reference": (random) =>
    chanceOf(random, 2) ? reference(random) : `/${characters(random, nonAsciiLetters, 1, 6)}`,
  uuid,
  "uri-template": template,
  "json-pointer": pointer,
  "relative-json-pointer": (random) => `${drawBelow(random, 20)}${chanceOf(random, 3) ? "#" : pointer(random)}`,
  regex,
};
