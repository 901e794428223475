import { type Json, type JsonObject, ownMember } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { postponeTime } from "../../formats/future-times.ts";
import { formats } from "../../formats/table.ts";
import type { KeywordOf, Model, Node } from "../../model/model.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

type FormatRow = [effect: "weaker" | "stronger", says: string, pattern: string];

// Patterns for ordinary strings, so that a reader accepts or refuses them only because of the tested habit.
const year = "2[01][0-9]{2}";
const date = `${year}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])`;
const time = "(?:0[1-9]|1[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";
const offset = "[+-](?:0[1-9]|1[0-2]):[03]0";
const hex = "[0-9a-f]";
const capital = "[0-9A-F]";
const octet = "(?:0|[1-9][0-9]{0,2})";
const domain = "(?:[a-z]{2,}\\.)+[a-z]{2,}";

/** Common habits of format checks, with patterns for the strings that they wrongly accept or refuse. */
const formatHabits: Readonly<Record<string, FormatRow[]>> = {
  "date-time": [
    ["weaker", "any two digits are a month or a day", `^${year}-[0-9]{2}-[0-9]{2}T${time}(?:Z|${offset})$`],
    ["weaker", "the offset may be missing", `^${date}T${time}$`],
    ["weaker", "a space is accepted in place of T", `^${date} ${time}(?:Z|${offset})$`],
    ["stronger", "only Z is an offset", `^${date}T${time}${offset}$`],
    ["stronger", "fractions of a second are refused", `^${date}T${time}\\.[0-9]{1,3}(?:Z|${offset})$`],
  ],
  date: [["weaker", "any two digits are a month or a day", `^${year}-[0-9]{2}-[0-9]{2}$`]],
  time: [["weaker", "any two digits are an hour or a minute", `^[0-9]{2}:[0-9]{2}:[0-5][0-9](?:Z|${offset})$`]],
  uri: [
    ["weaker", "only the scheme is checked", "^https?:"],
    [
      "stronger",
      "only http and https are schemes",
      `^(?:urn:[a-z]{2,}:[0-9a-z]+|mailto:[a-z]+@${domain}|ftp://${domain}/)$`,
    ],
  ],
  uuid: [
    ["weaker", "hyphens may be anywhere", `^${hex}{4}-${hex}{8}-4${hex}{3}-[89ab]${hex}{3}-${hex}{12}$`],
    [
      "stronger",
      "capital letters are refused",
      `^${capital}{3}[A-F]${capital}{4}-${capital}{4}-4${capital}{3}-[89AB]${capital}{3}-${capital}{12}$`,
    ],
    ["stronger", "only version 4 is accepted", `^${hex}{8}-${hex}{4}-[1-357]${hex}{3}-[89ab]${hex}{3}-${hex}{12}$`],
  ],
  email: [
    ["weaker", "an @ is enough", "@"],
    ["stronger", "a plus sign is refused", `^[a-z]+(?:\\.[a-z]+)*\\+[a-z]+@${domain}$`],
  ],
  ipv4: [["weaker", "any digits are an octet", `^${octet}(?:\\.${octet}){3}$`]],
  hostname: [["weaker", "labels are not checked", "^[a-z0-9.-]+\\.[a-z]{2,}$"]],
};

/** Invalid samples of a format that a regular expression accepts if it lacks one check. */
const nearFormats: Readonly<Record<string, string[]>> = {
  "date-time": [
    "30-february",
    "29-february-of-a-common-year",
    "hour-24",
    "second-61",
    "no-seconds",
    "bare-point",
    "comma-fraction",
    "offset-hour-24",
  ],
  date: ["29-february-of-a-common-year"],
  time: ["hour-24", "no-seconds"],
  uri: [
    "bare-name",
    "no-scheme",
    "scheme-begins-with-a-digit",
    "bad-percent",
    "space",
    "raw-non-ascii",
    "angle-brackets-in-the-path",
  ],
  uuid: ["no-hyphens", "not-hex"],
  email: ["two-dots", "no-domain"],
};

/** Valid samples of a format that an incomplete implementation refuses. */
const refusals: Readonly<Record<string, Readonly<Record<string, string[]>>>> = {
  "date-time": {
    "small letters are refused": ["lower-case-letters"],
    "more than three digits of a fraction are refused": ["nine-digit-fraction", "twelve-digit-fraction"],
    "more than nine digits of a fraction are refused": ["twelve-digit-fraction"],
    "midnight is refused": ["midnight", "leap-day"],
    "an offset that is unknown is refused": ["unknown-offset"],
    "an offset of half an hour is refused": ["offset-east"],
  },
  uri: {
    "a scheme in capital letters is refused": ["upper-case-scheme"],
    "a user is refused": ["user-and-port"],
    "a port is refused": ["user-and-port", "ipv6-host"],
    "an IPv6 address is refused": ["ipv6-host"],
    "an IPv4 address is refused": ["ipv4-host"],
    "a query is refused": ["https", "empty-query-and-fragment"],
    "percent-encoding is refused": ["percent-encoded"],
    "marks in the path are refused": ["marks-in-the-path"],
  },
  uuid: { "zeros alone are refused": ["nil"] },
};

/** Mutants of `format`: checked by an imprecise regular expression, or more narrowly than the standard. */
export const formatOperator: Operator = {
  name: "format-habit",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "format") continue;
      const padded = paddedTexts(node, model, keyword.format);
      const changed = padded.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: padded });
      const says = "white space around it does not matter";
      if (changed !== undefined) yield { effect: "weaker", site: keyword.site, keyword: "format", says, ...changed };
      yield* mutateByHabits(node, raw, keyword);
      yield* refuseValidSamples(node, raw, keyword);
      yield* acceptInvalidSamples(node, raw, keyword);
    }
  },
};

function* mutateByHabits(node: Node, raw: JsonObject, keyword: KeywordOf<"format">): Generator<UnnamedMutant> {
  for (const [effect, says, pattern] of ownMember(formatHabits, keyword.format) ?? []) {
    const changed =
      effect === "weaker"
        ? loosenKeyword(node, raw, keyword, { pattern })
        : strengthen(node, raw, { not: { pattern } });
    if (changed !== undefined) yield { effect, site: keyword.site, keyword: "format", says, ...changed };
  }
}

function* refuseValidSamples(node: Node, raw: JsonObject, keyword: KeywordOf<"format">): Generator<UnnamedMutant> {
  const samples = ownMember(formats, keyword.format)?.valid ?? [];
  for (const [says, names] of Object.entries(ownMember(refusals, keyword.format) ?? {})) {
    const refused = samples.filter(({ name }) => names.includes(name));
    yield {
      effect: "stronger",
      isFineGrained: true,
      site: keyword.site,
      keyword: "format",
      says,
      ...strengthen(node, raw, { not: { enum: refused.flatMap(({ value }) => withPostponed(value)) } }),
    };
  }
}

function* acceptInvalidSamples(node: Node, raw: JsonObject, keyword: KeywordOf<"format">): Generator<UnnamedMutant> {
  const names = ownMember(nearFormats, keyword.format) ?? [];
  for (const { name, value } of ownMember(formats, keyword.format)?.invalid ?? []) {
    if (!names.includes(name)) continue;
    const changed = loosenKeyword(node, raw, keyword, { enum: withPostponed(value) });
    const says = `the format check misses "${name.replaceAll("-", " ")}"`;
    if (changed !== undefined)
      yield { effect: "weaker", isFineGrained: true, site: keyword.site, keyword: "format", says, ...changed };
  }
}

/** Lists a string and, for a time, its postponed form. Deadlines are moved into the future after the vectors are chosen, and must still kill the mutant. */
function withPostponed(value: string): Json[] {
  return [...new Set([value, postponeTime(value)])];
}

/** Lists strings that are valid only without the white space around them. A reader that trims strings accepts them. */
function paddedTexts(node: Node, model: Model, format: string): Json[] {
  const validText = ownMember(formats, format)
    ?.valid.map(({ value }) => value)
    .find((value) => holdsAt(model, node.location, value));
  const validTexts = validText === undefined ? [] : withPostponed(validText);
  const padded = validTexts.flatMap((text) => [` ${text}`, `${text} `, ` ${text} `, `${text}\n`]);
  return padded.filter((value) => !holdsAt(model, node.location, value));
}
