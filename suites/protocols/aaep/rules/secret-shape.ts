/** The shapes that the rule's procedure lists. There are other secrets, but an implementation need not know their shapes. */
const listedShapes: readonly RegExp[] = [
  /(?<![\w-])sk-[A-Za-z0-9]{16,}/,
  /(?<![\w-])AKIA[0-9A-Z]{16}(?![\w-])/,
  /(?<![\w-])ghp_[A-Za-z0-9]{30,}/,
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
];
const listedPassword = /(?<![\w-])password\s?=\s?([^\s"'&;,]{4,})/gi;

/** Keys and tokens of known services, as whole words. Because no character of a word may precede them, the search is linear. */
const tokenShapes: readonly [kind: string, shape: RegExp][] = [
  ["an API key", /(?<![\w-])sk-(?:[a-z0-9]+-)*[A-Za-z0-9_]{16,}/],
  ["an API key", /(?<![\w-])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/],
  ["an access key", /(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])/],
  ["an API key", /(?<![\w-])AIza[\w-]{35}(?![\w-])/],
  ["an access token", /(?<![\w-])gh[pousr]_[A-Za-z0-9]{30,}/],
  ["an access token", /(?<![\w-])github_pat_\w{22,}/],
  ["an access token", /(?<![\w-])glpat-[\w-]{20,}/],
  ["an access token", /(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["a signed token", /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["a private key", /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/],
];

/** Secrets after their name or in an address. The group is the value to examine. */
const namedShapes: readonly [kind: string, shape: RegExp][] = [
  ["a password", /(?<![\w-])(?:[\w-]*(?:password|passwd|passphrase)|pwd)["']?\s?=\s?["']?([^\s"'&;,]{4,})/gi],
  ["a password", /["'](?:[\w-]*(?:password|passwd|passphrase)|pwd)["']\s?:\s?["']([^\s"']{4,})["']/gi],
  ["a secret", /(?<![\w-])[\w-]*(?:api[_-]?key|secret)["']?\s?=\s?["']?([^\s"'&;,]{8,})/gi],
  ["a secret", /["'][\w-]*(?:api[_-]?key|secret)["']\s?:\s?["']([^\s"']{8,})["']/gi],
  ["a token", /(?<![\w-])(?:(?:access|auth|bearer|refresh|id)[_-]?)?token["']?\s?=\s?["']?([^\s"'&;,]{8,})/gi],
  ["a token", /["'](?:(?:access|auth|bearer|refresh|id)[_-]?)?token["']\s?:\s?["']([^\s"']{8,})["']/gi],
  ["a token", /(?<![\w-])bearer\s((?=[\w.~+/=-]*[0-9])(?=[\w.~+/=-]*[A-Za-z])[\w.~+/=-]{16,})/gi],
  ["a password", /:\/\/[^\s/:@]+:([^\s/@]+)@/g],
];

/** Dots, stars and other masks, or a placeholder. */
const maskedValue = /[*•●▪█#]{2,}|x{4,}|…|\.{3}|^[<[{($%].*[>\]})%]?$/i;
const harmlessWords =
  /^(?:redacted|hidden|masked|removed|omitted|required|missing|invalid|incorrect|unknown|none|null|true|false|empty|unset|changed|expired|undefined|secret|password|token)[.!?)]*$/i;

/** Names the kind of secret that a text contains. Undefined if there is none, or if its value is masked or harmless. */
export function findSecret(text: string): string | undefined {
  const [token] = tokenShapes.find(([, shape]) => shape.test(text)) ?? [];
  if (token !== undefined) return token;
  const [namedSecret] =
    namedShapes.find(([, shape]) =>
      [...text.matchAll(shape)].some(([, value = ""]) => !maskedValue.test(value) && !harmlessWords.test(value)),
    ) ?? [];
  return namedSecret;
}

/** Whether a text contains a secret of a listed shape. */
export function hasListedShape(text: string): boolean {
  const isRealValue = ([, value = ""]: RegExpMatchArray): boolean =>
    !maskedValue.test(value) && !harmlessWords.test(value);
  return listedShapes.some((shape) => shape.test(text)) || [...text.matchAll(listedPassword)].some(isRealValue);
}

/** 13 to 19 digits, together or in groups with the same separator: 4-4-4 and the rest, or 4-6 and the rest. */
const cardNumbers =
  /(?<![\w.-])(?:[1-9][0-9]{12,18}|[1-9][0-9]{3}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{1,7}|[1-9][0-9]{3}([ -])[0-9]{6}\2[0-9]{4,5})(?![\w-])/g;
const socialSecurityNumber = /(?<![\w.-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![\w-])/;

/** Names the kind of private number that a text may contain. Undefined if there is none. */
export function findPrivateNumber(text: string): string | undefined {
  if (socialSecurityNumber.test(text)) return "a social security number";
  return [...text.matchAll(cardNumbers)].some(([card]) => hasValidCheckDigit(card.replace(/[ -]/g, "")))
    ? "a card number"
    : undefined;
}

/** Whether the check digit of a card number is correct: every other digit, from the last but one, counts double. */
export function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
