/** Why a regular expression is none of ECMA-262 with the `u` flag, and what to do about it; undefined when it is one. */
export function patternFault(source: string): { why: string; hint: string } | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    const why = (error as Error).message.replace(/^.*\/[a-z]*: /s, "").toLowerCase();
    const [, hint] = usual.find(([sign]) => sign.test(source)) ?? [];
    return { why, hint: hint ?? "write it as ECMA-262 says, with the flag u" };
  }
}

/** What other flavours allow. The first that is found in the pattern is taken for the cause. */
const usual: readonly [sign: RegExp, hint: string][] = [
  [/\\A/, "write ^ for the beginning, not \\A"],
  [/\\[Zz]/, "write $ for the end, not \\Z or \\z"],
  [/\(\?P</, "write a named group as (?<name>…), without P"],
  [/\(\?P[=>]/, "write a reference to a named group as \\k<name>"],
  [/\(\?[a-z]+(-[a-z]+)?[:)]/, "flags cannot be set in the pattern: write both cases, as in [Aa]"],
  [/\(\?[>#]/, "there are no atomic groups and no comments: write it without"],
  [/[*+?}]\+/, "there are no possessive quantifiers: leave out the second +"],
  [/\\[hHRGQEX]/, "write out the characters that the escape stands for"],
  [/\\[pP](?!\{)/, "write the property in braces, as in \\p{L}"],
  [/\[[^\]]*\\?[dswDSW]-[^\]]/, "write a hyphen beside a class such as \\w as \\-"],
  [/\\-/, "write the hyphen outside of brackets as it is, without the backslash"],
  [/\\[^\w\s^$\\.*+?()[\]{}|/-]|\\[_\s]/, "leave out the backslash before a character that needs none"],
  [/\\[0-9]/, "refer to groups that there are, and write a character by its code as \\u0000"],
  [/[{}]/, "write a brace that is meant itself as \\{ or \\}"],
];
