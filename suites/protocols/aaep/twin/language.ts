/** The irregular and regular grandfathered tags (RFC 5646 §2.2.8). */
const grandfatheredTag =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-be-fr|sgn-be-nl|sgn-ch-de|art-lojban|cel-gaulish|no-bok|no-nyn|zh-(?:guoyu|hakka|min|min-nan|xiang))$/i;
/** Language, script, region, variants, extensions and private use (RFC 5646 §2.1). */
const tagGrammar =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+)$/i;
const rightToLeftLanguages = new Set(
  "ar he iw fa ur ps sd ug yi ji dv ckb arc syr nqo arz ary prs pnb mzn lrc azb".split(" "),
);
const rightToLeftScripts = new Set("arab hebr thaa syrc nkoo adlm rohg mand samr".split(" "));

/** Whether a string is a well-formed language tag that repeats neither a variant nor a singleton (RFC 5646 §2.2.9). */
export function isTag(text: string): boolean {
  if (grandfatheredTag.test(text)) return true;
  if (!tagGrammar.test(text)) return false;
  const [publicPart = ""] = text.toLowerCase().split("-x-");
  const [primaryTag = "", ...subtags] = publicPart.split("-");
  const singletons = subtags.filter((subtag) => subtag.length === 1);
  const firstSingleton = subtags.findIndex((subtag) => subtag.length === 1);
  const variants = (firstSingleton < 0 ? subtags : subtags.slice(0, firstSingleton)).filter((subtag) =>
    /^(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})$/.test(subtag),
  );
  return (primaryTag.length === 1 || isUnique(singletons)) && isUnique(variants);
}

function isUnique(items: readonly string[]): boolean {
  return new Set(items).size === items.length;
}

/** Whether a language is written from right to left, in the script of its tag or else in its usual one. */
export function isRightToLeft(language: string): boolean {
  const [primaryTag = "", ...subtags] = language.toLowerCase().split("-");
  const script = subtags.find((subtag) => /^[a-z]{4}$/.test(subtag));
  return script === undefined ? rightToLeftLanguages.has(primaryTag) : rightToLeftScripts.has(script);
}

/** Whether two tags are equal, ignoring case, or one is the other with further subtags. */
export function isSameLanguage(tag: string, otherTag: string): boolean {
  const [lowerTag, lowerOther] = [tag.toLowerCase(), otherTag.toLowerCase()];
  return lowerTag === lowerOther || lowerTag.startsWith(`${lowerOther}-`) || lowerOther.startsWith(`${lowerTag}-`);
}
