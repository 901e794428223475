import type { ReportFault } from "../../../packs/twins/say.ts";

const listedShapes = [
  /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]{16,}/,
  /(?<![A-Za-z0-9])ghp_[A-Za-z0-9]{20,}/,
  /(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}(?![0-9A-Z])/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];
const listedPassword = /(?<![A-Za-z0-9_])password\s*=\s*([^\s,;]{3,})/gi;
const namedShape = /(?<![A-Za-z0-9_])(?:passwd|pwd|api_key|apikey|token|secret)\s*=\s*([^\s,;]{3,})/gi;
const maskedValue = /[*•…<[]|\.\.\.|^x+$/i;
/** Secrets that the specification does not list, but that a careful implementation finds. */
const unlistedShapes = [
  /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9]+-[A-Za-z0-9_-]{16,}/,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{8,}/,
  /\bBearer [A-Za-z0-9._~+/-]{12,}/,
  /"(?:password|secret)"\s*:\s*"[^"*]{3,}"/i,
  /\/\/[^\s/:@]+:[^\s/@*]{3,}@/,
  /(?<![A-Za-z0-9])gh[ousr]_[A-Za-z0-9]{20,}/,
  /client_secret=[^\s*]{6,}/,
];
const socialSecurityNumber = /(?<![0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![0-9-])/;
const cardNumber = /(?<![0-9])[0-9](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/** Reports the secrets in a text. */
export function judgeSecrets(report: ReportFault, text: string): void {
  if (listedShapes.some((shape) => shape.test(text))) report("shows a secret");
  for (const [, value = ""] of text.matchAll(listedPassword)) if (!maskedValue.test(value)) report("shows a password");
  for (const [, value = ""] of text.matchAll(namedShape))
    if (!maskedValue.test(value)) report("shows a value that may be a secret", "unlisted-secrets");
  if (unlistedShapes.some((shape) => shape.test(text)))
    report("shows a text that looks like a secret", "unlisted-secrets");
  const hasCardNumber = [...text.matchAll(cardNumber)].some(([digits]) =>
    hasValidCheckDigit(digits.replace(/\D/g, "")),
  );
  if (socialSecurityNumber.test(text) || hasCardNumber) report("shows a number that may be private", "private-numbers");
}

function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
