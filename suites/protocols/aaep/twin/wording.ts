import { isObject, type JsonObject } from "../../../../schemas/index.ts";
import { list, object, type Say, texts } from "../../../packs/twins/say.ts";
import { isLeftward, isTag } from "./language.ts";
import { readable, variantOf } from "./members.ts";
import { secrets } from "./secrets.ts";

/** Judges an event's texts, and its declarations about their language. */
export function wording(say: Say, event: JsonObject): void {
  const said = textsOf(event);
  const hints = object(event.localization_hints);
  const isTold =
    hints.primary_language !== undefined ||
    (event.language !== undefined && said.every(({ name }) => name === "chunk"));
  if (said.length > 0 && !isTold) say("does not tell the language of its texts", "languages-told");
  const tags = [
    hints.primary_language,
    event.language,
    ...list(hints.available_languages),
    ...list(hints.fallback_chain),
  ];
  for (const tag of tags) if (typeof tag === "string" && !isTag(tag)) say(`names the language ${tag}, which is no tag`);
  for (const { text } of said) {
    if (text.normalize("NFC") !== text) say("has a text that is not in NFC", "composed-texts");
    if (/^\p{M}/u.test(text)) say("has a text that begins with a combining mark", "first-characters");
    secrets(say, text);
  }
  direction(say, hints);
}

/** The texts that people read or hear, each with its member. */
export function textsOf(event: JsonObject): { name: string; text: string }[] {
  const own = Object.entries(event).filter(([name]) => readable.includes(name) || variantOf(name) !== undefined);
  const labels = list(event.choices).map((each) => (isObject(each) ? each.label : undefined));
  const inner = [object(event.progress).description, ...labels].map((each) => ["inner", each] as const);
  return [...own, ...inner].flatMap(([name, text]) =>
    typeof text === "string" && text !== "" ? [{ name, text }] : [],
  );
}

function direction(say: Say, { primary_language: language, script, text_direction: told = "ltr" }: JsonObject): void {
  // A private-use tag, x-…, names no language with a known direction.
  if (typeof language !== "string" || /^(und|mul|zxx|x)\b/i.test(language) || told === "auto") return;
  const [main] = texts([language.split("-")[0] ?? ""]);
  const due = isLeftward(typeof script === "string" ? `${main}-${script}` : language) ? "rtl" : "ltr";
  if (told !== due) say("has another direction than its language", "directions");
}
