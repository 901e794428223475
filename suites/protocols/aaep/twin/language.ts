const grandfatheredTag =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-be-fr|sgn-be-nl|sgn-ch-de|art-lojban|cel-gaulish|no-bok|no-nyn|zh-(?:guoyu|hakka|min|min-nan|xiang))$/i;
const tag =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[0-9a-wyz](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+)$/i;
const leftwardLanguages = new Set(
  "ar he iw fa ur ps sd ug yi ji dv ckb arc syr nqo arz ary prs pnb mzn lrc azb".split(" "),
);
const leftwardScripts = new Set("arab hebr thaa syrc nkoo adlm rohg mand samr".split(" "));

/** Whether a language tag is well-formed (RFC 5646 §2.2.9): it repeats no variant and no singleton. */
export function isTag(text: string): boolean {
  if (grandfatheredTag.test(text)) return true;
  if (!tag.test(text)) return false;
  const [shown = ""] = text.toLowerCase().split("-x-");
  const [first = "", ...rest] = shown.split("-");
  const singles = rest.filter((each) => each.length === 1);
  const end = rest.findIndex((each) => each.length === 1);
  const variants = (end < 0 ? rest : rest.slice(0, end)).filter((each) =>
    /^(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3})$/.test(each),
  );
  return (first.length === 1 || isUnique(singles)) && isUnique(variants);
}

function isUnique(items: readonly string[]): boolean {
  return new Set(items).size === items.length;
}

/** Whether a language is written from right to left, in its own script or in the script of the tag. */
export function isLeftward(language: string): boolean {
  const [first = "", ...rest] = language.toLowerCase().split("-");
  const script = rest.find((each) => /^[a-z]{4}$/.test(each));
  return script === undefined ? leftwardLanguages.has(first) : leftwardScripts.has(script);
}

/** Whether two tags are equal, ignoring case, or one is the other with further subtags. */
export function isAkin(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a === b || a.startsWith(`${b}-`) || b.startsWith(`${a}-`);
}
