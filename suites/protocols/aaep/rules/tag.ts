/** Tags from before the present grammar that stay well-formed though it does not yield them (RFC 5646, 2.1). */
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
    "^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})",
    "(?:-[a-z]{4})?",
    "(?:-(?:[a-z]{2}|[0-9]{3}))?",
    "(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    "(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*",
    `(?:-${privateUse})?|${privateUse})$`,
  ].join(""),
);

/** Whether a language tag obeys the grammar of BCP 47; if its parts are registered is not asked. */
export function isWellFormed(tag: string): boolean {
  // No tag that is meant to be one comes near this length.
  if (tag.length > 1000) return false;
  const lower = tag.toLowerCase();
  return /^[a-z0-9-]*$/i.test(tag) && (grammar.test(lower) || irregularTags.includes(lower));
}

/** Whether one tag covers another: they are equal ignoring case, or one is the other plus further parts. */
export function covers(one: string, other: string): boolean {
  const [a, b] = [`${one.toLowerCase()}-`, `${other.toLowerCase()}-`];
  return a.startsWith(b) || b.startsWith(a);
}
