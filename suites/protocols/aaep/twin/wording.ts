import { isObject, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault, stringsIn } from "../../../packs/twins/say.ts";
import { isRightToLeft, isTag } from "./language.ts";
import { readableMembers, translatedMemberOf } from "./members.ts";
import { judgeSecrets } from "./secrets.ts";

/** Judges the stringsIn of an event, and its declarations about their language. */
export function judgeWording(say: ReportFault, event: JsonObject): void {
  const stringsIn = textsOf(event);
  const hints = objectOrEmpty(event.localization_hints);
  const hasLanguage =
    hints.primary_language !== undefined ||
    (event.language !== undefined && stringsIn.every(({ name }) => name === "chunk"));
  if (stringsIn.length > 0 && !hasLanguage) say("does not declare the language of its texts", "languages-told");
  const tags = [
    hints.primary_language,
    event.language,
    ...listOrEmpty(hints.available_languages),
    ...listOrEmpty(hints.fallback_chain),
  ];
  for (const tag of tags)
    if (typeof tag === "string" && !isTag(tag)) say(`names the language ${tag}, which is not a language tag`);
  for (const { text } of stringsIn) {
    if (text.normalize("NFC") !== text) say("has a text that is not in NFC", "composed-texts");
    if (/^\p{M}/u.test(text)) say("has a text that begins with a combining mark", "first-characters");
    judgeSecrets(say, text);
  }
  judgeDirection(say, hints);
}

/** The stringsIn that people read or hear, each with its member. */
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
  say: ReportFault,
  { primary_language: language, script, text_direction: declared = "ltr" }: JsonObject,
): void {
  // The direction of a private-use tag, x-…, is unknown.
  if (typeof language !== "string" || /^(und|mul|zxx|x)\b/i.test(language) || declared === "auto") return;
  const [primaryTag] = stringsIn([language.split("-")[0] ?? ""]);
  const usualDirection = isRightToLeft(typeof script === "string" ? `${primaryTag}-${script}` : language)
    ? "rtl"
    : "ltr";
  if (declared !== usualDirection) say("has another direction than its language", "directions");
}
