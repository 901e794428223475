/** Old tags that are still well-formed although the current grammar does not produce them (RFC 5646, 2.1). */
const irregularTags = [
  "en-gb-oed",
  "i-ami",
  "i-bnn",
  "i-default",
  "i-enochian",
  "i-hak",
  "i-klingon",
  "i-lux",
  "i-mingo",
  "i-navajo",
  "i-pwn",
  "i-tao",
  "i-tay",
  "i-tsu",
  "sgn-be-fr",
  "sgn-be-nl",
  "sgn-ch-de",
];

const privateUse = "x(?:-[a-z0-9]{1,8})+";
const grammar = new RegExp(
  [
    // Language, script, region, variants, extensions, and private use.
    "^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})",
    "(?:-[a-z]{4})?",
    "(?:-(?:[a-z]{2}|[0-9]{3}))?",
    "(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    "(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*",
    `(?:-${privateUse})?|${privateUse})$`,
  ].join(""),
);

/** Whether a language tag follows the grammar of BCP 47. Its parts need not be registered. */
export function isWellFormed(tag: string): boolean {
  // Such a long tag would be slow to match, and real ones are much shorter.
  if (tag.length > 1000) return false;
  const lowerCaseTag = tag.toLowerCase();
  return /^[a-z0-9-]*$/i.test(tag) && (grammar.test(lowerCaseTag) || irregularTags.includes(lowerCaseTag));
}

/** Whether two tags match: one of them begins with all parts of the other, ignoring case. */
export function covers(tag: string, otherTag: string): boolean {
  const [prefix, otherPrefix] = [`${tag.toLowerCase()}-`, `${otherTag.toLowerCase()}-`];
  return prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix);
}
