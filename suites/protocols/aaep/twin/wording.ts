import { isObject, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { isRightToLeft, isTag } from "./language.ts";
import { readableMembers, translatedMemberOf } from "./members.ts";
import { judgeSecrets } from "./secrets.ts";

/** Judges the texts of an event, and its declarations about their language. */
export function judgeWording(report: ReportFault, event: JsonObject): void {
  const texts = textsOf(event);
  const hints = objectOrEmpty(event.localization_hints);
  const hasLanguage =
    hints.primary_language !== undefined ||
    (event.language !== undefined && texts.every(({ name }) => name === "chunk"));
  if (texts.length > 0 && !hasLanguage) report("does not declare the language of its texts", "languages-told");
  const tags = [
    hints.primary_language,
    event.language,
    ...listOrEmpty(hints.available_languages),
    ...listOrEmpty(hints.fallback_chain),
  ];
  for (const tag of tags)
    if (typeof tag === "string" && !isTag(tag)) report(`names the language ${tag}, which is not a language tag`);
  for (const { text } of texts) {
    if (text.normalize("NFC") !== text) report("has a text that is not in NFC", "composed-texts");
    if (/^\p{M}/u.test(text)) report("has a text that begins with a combining mark", "first-characters");
    judgeSecrets(report, text);
  }
  judgeDirection(report, hints);
}

/** Lists the texts that people read or hear, each with its member. */
export function textsOf(event: JsonObject): { name: string; text: string }[] {
  const memberTexts = Object.entries(event).filter(
    ([name]) => readableMembers.includes(name) || translatedMemberOf(name) !== undefined,
  );
  const labels = listOrEmpty(event.choices).map((choice) => (isObject(choice) ? choice.label : undefined));
  const nestedTexts = [objectOrEmpty(event.progress).description, ...labels].map((text) => ["inner", text] as const);
  return [...memberTexts, ...nestedTexts].flatMap(([name, text]) =>
    typeof text === "string" && text !== "" ? [{ name, text }] : [],
  );
}

function judgeDirection(
  report: ReportFault,
  { primary_language: language, script, text_direction: declaredDirection = "ltr" }: JsonObject,
): void {
  // The direction of a private-use tag, x-…, is unknown.
  if (typeof language !== "string" || /^(und|mul|zxx|x)\b/i.test(language) || declaredDirection === "auto") return;
  const [primaryTag = ""] = language.split("-");
  const usualDirection = isRightToLeft(typeof script === "string" ? `${primaryTag}-${script}` : language)
    ? "rtl"
    : "ltr";
  if (declaredDirection !== usualDirection) report("has a direction other than that of its language", "directions");
}
