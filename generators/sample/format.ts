import { chanceOf, drawBelow, pick, type Random } from "./random.ts";

type MakeFormat = (random: Random) => string;

const twoDigits: readonly string[] = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));
const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Bytes as two hexadecimal digits. */
const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, "0"));
const letters = "abcdefghijklmnopqrstuvwxyz";
const lettersAndDigits = `${letters}0123456789`;

function drawCharacters(random: Random, alphabet: string, least: number, most: number): string {
  let text = "";
  for (let remaining = least + drawBelow(random, most - least + 1); remaining > 0; remaining -= 1)
    text += alphabet[drawBelow(random, alphabet.length)];
  return text;
}

function drawDate(random: Random): string {
  const year = chanceOf(random, 8) ? 1 + drawBelow(random, 9999) : 1970 + drawBelow(random, 130);
  const month = drawBelow(random, 12);
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const day = 1 + drawBelow(random, (days[month] as number) + (month === 1 && isLeapYear ? 1 : 0));
  return `${String(year).padStart(4, "0")}-${twoDigits[month + 1]}-${twoDigits[day]}`;
}

function drawTime(random: Random): string {
  const fraction = chanceOf(random, 3) ? `.${drawCharacters(random, "0123456789", 1, 9)}` : "";
  const offset = chanceOf(random, 2)
    ? "Z"
    : `${chanceOf(random, 2) ? "+" : "-"}${twoDigits[drawBelow(random, 24)]}:${twoDigits[drawBelow(random, 60)]}`;
  return `${twoDigits[drawBelow(random, 24)]}:${twoDigits[drawBelow(random, 60)]}:${twoDigits[drawBelow(random, 60)]}${fraction}${offset}`;
}

function drawDuration(random: Random): string {
  if (chanceOf(random, 6)) return `P${drawBelow(random, 60)}W`;
  const drawUnits = (names: string) => {
    const start = drawBelow(random, names.length);
    const end = start + 1 + drawBelow(random, names.length - start);
    return [...names.slice(start, end)].map((name) => `${drawBelow(random, 60)}${name}`).join("");
  };
  const drawClock = () => `T${drawUnits("HMS")}`;
  return chanceOf(random, 3) ? `P${drawClock()}` : `P${drawUnits("YMD")}${chanceOf(random, 2) ? drawClock() : ""}`;
}

function drawLabel(random: Random): string {
  const hyphen = chanceOf(random, 6) ? "-" : "";
  return drawCharacters(random, letters, 1, 6) + hyphen + drawCharacters(random, lettersAndDigits, 1, 4);
}

const domains = ["example", "test", "com", "org"];

function drawHostname(random: Random): string {
  const name = chanceOf(random, 2) ? drawLabel(random) : `${drawLabel(random)}.${drawLabel(random)}`;
  return `${name}.${pick(random, domains)}`;
}

function drawIpv4(random: Random): string {
  return Array.from({ length: 4 }, () => (chanceOf(random, 6) ? pick(random, [0, 255]) : drawBelow(random, 256))).join(
    ".",
  );
}

function drawIpv6(random: Random): string {
  const drawGroups = (count: number) =>
    Array.from({ length: count }, () => drawBelow(random, 0x10000).toString(16)).join(":");
  if (chanceOf(random, 2)) return drawGroups(8);
  const before = drawBelow(random, 6);
  return `${drawGroups(before)}::${drawGroups(drawBelow(random, 6 - before))}`;
}

function drawUuid(random: Random): string {
  const pair = (bits: number) => hexPairs[bits & 255];
  const [a, b, c, d] = [random.next(), random.next(), random.next(), random.next()];
  // RFC 9562: version 4 and variant 10.
  const [versionByte, variantByte] = [0x40 | (b & 0x0f), 0x80 | (c & 0x3f)];
  return `${pair(a)}${pair(a >> 8)}${pair(a >> 16)}${pair(a >> 24)}-${pair(b >> 8)}${pair(b >> 16)}-${pair(versionByte)}${pair(b >> 24)}-${pair(variantByte)}${pair(c >> 8)}-${pair(c >> 16)}${pair(c >> 24)}${pair(d)}${pair(d >> 8)}${pair(d >> 16)}${pair(d >> 24)}`;
}

const pathLetters = `${lettersAndDigits}-._~!$&'()*+,;=:@`;

function drawPath(random: Random): string {
  let text = "";
  for (let remaining = drawBelow(random, 4); remaining > 0; remaining -= 1)
    text += `/${drawCharacters(random, chanceOf(random, 4) ? pathLetters : lettersAndDigits, 1, 10)}${chanceOf(random, 12) ? "%20" : ""}`;
  return text;
}

function drawTail(random: Random): string {
  const query = chanceOf(random, 4)
    ? `?${drawCharacters(random, letters, 1, 6)}=${drawCharacters(random, lettersAndDigits, 0, 8)}`
    : "";
  const fragment = chanceOf(random, 6) ? `#${drawCharacters(random, lettersAndDigits, 0, 8)}` : "";
  return query + fragment;
}

function drawHost(random: Random): string {
  if (chanceOf(random, 12)) return drawIpv4(random);
  return chanceOf(random, 24) ? `[${drawIpv6(random)}]` : drawHostname(random);
}

/** Draws the scheme for a kind from 2 to 15: https for eight kinds, http for two, wss for three, and an unregistered scheme for one. */
function drawScheme(random: Random, kind: number): string {
  if (kind < 10) return "https";
  if (kind < 12) return "http";
  return kind < 15 ? "wss" : `${drawLabel(random)}+x`;
}

function drawUri(random: Random): string {
  const kind = drawBelow(random, 16);
  if (kind === 0) return `urn:uuid:${drawUuid(random)}`;
  if (kind === 1) return `mailto:${drawEmail(random)}`;
  const scheme = drawScheme(random, kind);
  const user = chanceOf(random, 16) ? `${drawCharacters(random, letters, 1, 6)}@` : "";
  const host = drawHost(random);
  const port = chanceOf(random, 6) ? `:${1 + drawBelow(random, 65_535)}` : "";
  return `${scheme}://${user}${host}${port}${drawPath(random)}${drawTail(random)}`;
}

function drawReference(random: Random): string {
  const kind = drawBelow(random, 4);
  if (kind === 0) return drawUri(random);
  return kind === 1
    ? `/${drawCharacters(random, lettersAndDigits, 0, 8)}${drawTail(random)}`
    : `${drawCharacters(random, letters, 0, 6)}${drawPath(random)}${drawTail(random)}`;
}

function drawEmail(random: Random): string {
  const local = drawCharacters(random, `${lettersAndDigits}_+-`, 1, 12);
  return `${local}${chanceOf(random, 3) ? `.${drawCharacters(random, lettersAndDigits, 1, 6)}` : ""}@${drawHostname(random)}`;
}

function drawPointer(random: Random): string {
  let text = "";
  for (let remaining = drawBelow(random, 4); remaining > 0; remaining -= 1)
    text += `/${drawCharacters(random, `${lettersAndDigits}-_. `, 0, 8)}${chanceOf(random, 6) ? pick(random, ["~0", "~1"]) : ""}`;
  return text;
}

function drawTemplate(random: Random): string {
  const operator = pick(random, ["", "", "+", "#", ".", "/", ";", "?", "&"]);
  return `${chanceOf(random, 2) ? `https://${drawHostname(random)}` : ""}/{${operator}${drawCharacters(random, letters, 1, 8)}}`;
}

function drawRegex(random: Random): string {
  const drawPart = () =>
    pick(random, [drawCharacters(random, letters, 1, 4), "[a-z0-9]", "\\d", ".", "(?:x|y)", "\\u0041", "[^,]"]) +
    pick(random, ["", "", "*", "+", "?", "{1,3}"]);
  return `${chanceOf(random, 2) ? "^" : ""}${drawPart()}${drawPart()}${chanceOf(random, 2) ? "$" : ""}`;
}

const nonAsciiLetters = "äößéñжλ漢字한";

/** For each format, draws strings that every known implementation accepts. */
export const formatMakers: Readonly<Record<string, MakeFormat | undefined>> = {
  date: drawDate,
  time: drawTime,
  "date-time": (random) => `${drawDate(random)}T${drawTime(random)}`,
  duration: drawDuration,
  email: drawEmail,
  "idn-email": (random) =>
    chanceOf(random, 2)
      ? drawEmail(random)
      : `${drawCharacters(random, nonAsciiLetters, 1, 6)}@${drawHostname(random)}`,
  hostname: drawHostname,
  "idn-hostname": drawHostname,
  ipv4: drawIpv4,
  ipv6: drawIpv6,
  uri: drawUri,
  "uri-reference": drawReference,
  iri: (random) =>
    chanceOf(random, 2)
      ? drawUri(random)
      : `https://${drawHostname(random)}/${drawCharacters(random, nonAsciiLetters, 1, 6)}`,
  "iri-reference": (random) =>
    chanceOf(random, 2) ? drawReference(random) : `/${drawCharacters(random, nonAsciiLetters, 1, 6)}`,
  uuid: drawUuid,
  "uri-template": drawTemplate,
  "json-pointer": drawPointer,
  "relative-json-pointer": (random) => `${drawBelow(random, 20)}${chanceOf(random, 3) ? "#" : drawPointer(random)}`,
  regex: drawRegex,
};
