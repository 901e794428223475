import type { Checker } from "../../../../schemas/index.ts";
import { onEvents } from "./event.ts";
import { hintsOf } from "./language.ts";
import { readableTexts } from "./readable.ts";

/** Checks of the Unicode normalization and the direction of texts. */
export const scriptCheckers: readonly Checker[] = [
  onEvents("AAEP-I18N-007", function* (event) {
    for (const { at, text } of readableTexts(event))
      if (text !== text.normalize("NFC")) yield { at, why: "is not in Normalization Form C" };
  }),
  onEvents("AAEP-I18N-009", function* (event) {
    for (const { at, text } of readableTexts(event))
      if (/^\p{M}/u.test(text)) yield { at, why: `begins with the combining mark ${codePointOf(text)}` };
  }),
  onEvents("AAEP-I18N-013", function* (event) {
    if (hintsOf(event).text_direction === "auto") return;
    for (const { at, text } of readableTexts(event))
      if (leftToRightLetter.test(text) && rightToLeftLetter.test(text) && !directionControls.test(text))
        yield { at, why: "mixes directions without a direction control" };
  }),
  onEvents("AAEP-I18N-014", function* (event) {
    const { primary_language: tag, text_direction: direction = "ltr", script } = hintsOf(event);
    if (typeof tag !== "string" || (direction !== "ltr" && direction !== "rtl")) return;
    const usualDirection = directionOf(tag, typeof script === "string" ? script : undefined);
    if (usualDirection !== undefined && usualDirection !== direction)
      yield {
        at: "/localization_hints",
        why: `has the direction ${direction}, while ${tag} is written ${usualDirection}`,
      };
  }),
];

/** Scripts that are written from right to left, by their names in ISO 15924 and in Unicode. */
const rightToLeftScripts = {
  Adlm: "Adlam",
  Arab: "Arabic",
  Aran: "Arabic",
  Hebr: "Hebrew",
  Mand: "Mandaic",
  Nkoo: "Nko",
  Rohg: "Hanifi_Rohingya",
  Samr: "Samaritan",
  Syrc: "Syriac",
  Thaa: "Thaana",
  Yezi: "Yezidi",
};
const rightToLeftClass = `[${Object.values(rightToLeftScripts)
  .map((name) => `\\p{Script=${name}}`)
  .join("")}]`;
const rightToLeftLetter = new RegExp(`(?=\\p{L})${rightToLeftClass}`, "u");
const leftToRightLetter = new RegExp(`(?!${rightToLeftClass})\\p{L}`, "u");
/** Marks, embeddings, overrides and isolates. */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Languages that are written from right to left, unless a tag names another script. */
const rightToLeftLanguages = new Set(
  "ar arc arz azb bal bgn bqi ckb dv fa glk he iw ji khw ks lrc mzn nqo pnb prs ps rhg sam sd skr syr ug ur yi".split(
    " ",
  ),
);

/** Returns the direction of a language in its usual script, or in the named one. Undefined if it is unknown. */
export function directionOf(tag: string, script?: string): "ltr" | "rtl" | undefined {
  const [language = "", ...otherSubtags] = tag.toLowerCase().split("-");
  if (!/^[a-z]{2,8}$/.test(language) || /^(und|mul|zxx)$/.test(language)) return undefined;
  const scriptCode = otherSubtags.find((part) => /^[a-z]{4}$/.test(part)) ?? script?.toLowerCase();
  if (scriptCode === undefined) return rightToLeftLanguages.has(language) ? "rtl" : "ltr";
  return Object.keys(rightToLeftScripts).some((name) => name.toLowerCase() === scriptCode) ? "rtl" : "ltr";
}

function codePointOf(text: string): string {
  return `U+${(text.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}`;
}
