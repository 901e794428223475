import fc from "fast-check";
import { expect, it } from "vitest";
import { covers, isWellFormed } from "./tag.ts";

it.each(
  "de zh-Hant zh-cmn-Hans-CN cmn-Hans-CN yue-HK sr-Latn-RS sl-rozaj-biske de-CH-1901 sl-IT-nedis hy-Latn-IT-arevela de-DE es-419 de-CH-x-phonebk az-Arab-x-AZE-derbend x-whatever qaa-Qaaa-QM-x-southern en-US-u-islamcal zh-CN-a-myext-x-private en-a-myext-b-another i-klingon en-GB-oed art-lojban zh-min-nan".split(
    " ",
  ),
)("%s is well-formed according to appendix A of RFC 5646", (tag) => {
  expect([isWellFormed(tag), isWellFormed(tag.toUpperCase())]).toEqual([true, true]);
});

it.each([
  "de-419-DE",
  "a-DE",
  "abcdefgh-1",
  "abcdefghi",
  "en_US",
  "en-",
  "-en",
  "en--GB",
  "",
  "i-nothing",
  "x",
  "en-GB-x",
  "\u212aa",
  "en-\u017f",
  "en-a".repeat(400),
])("%s is not well-formed", (tag) => {
  expect(isWellFormed(tag)).toBe(false);
});

it("accepts every tag that Intl accepts", () => {
  const part = fc.constantFrom(
    "en",
    "zh",
    "abc",
    "Hans",
    "Latn",
    "GB",
    "419",
    "rozaj",
    "1901",
    "u",
    "ca",
    "gregory",
    "x",
    "private",
    "t",
    "de",
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const tag = parts.join("-");
      let isKnownToIntl = true;
      try {
        Intl.getCanonicalLocales(tag);
      } catch {
        isKnownToIntl = false;
      }
      if (isKnownToIntl) expect([tag, isWellFormed(tag)]).toEqual([tag, true]);
    }),
    { numRuns: 3000 },
  );
});

it("covers only matches whole parts, in both directions", () => {
  expect(covers("en", "EN-us")).toBe(true);
  expect(covers("zh-Hant-TW", "zh-hant")).toBe(true);
  expect(covers("en-US", "en-GB")).toBe(false);
  expect(covers("en", "enm")).toBe(false);
});
