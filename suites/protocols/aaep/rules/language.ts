import { type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { eventDocuments, onEvents } from "./event.ts";
import { readableTexts } from "./readable.ts";
import { isWellFormed } from "./tag.ts";

/** Checks of the languages that messages declare. */
export const languageCheckers: readonly Checker[] = [
  onEvents("AAEP-I18N-001", function* (event) {
    if (hintsOf(event).primary_language !== undefined) return;
    const texts = readableTexts(event).filter(({ field }) => field !== "chunk" || typeof event.language !== "string");
    const [firstText] = texts;
    if (firstText !== undefined) yield { at: firstText.at, why: "is text in an undeclared language" };
  }),
  {
    rule: "AAEP-I18N-003",
    documents: [...eventDocuments, "subscription.request", "subscription.accepted"],
    *check(message) {
      if (!isObject(message)) return;
      // The rule is for producers, but requests are sent by subscribers.
      const levelOfRequest = message.type === "subscription.request" ? { level: "SHOULD" as const } : {};
      for (const { at, tag } of languageTags(message))
        if (typeof tag === "string" && !isWellFormed(tag))
          yield { at, why: `is "${tag}", which is not a well-formed language tag`, ...levelOfRequest };
    },
  },
];

/** Returns the localization hints of an event. */
export function hintsOf({ localization_hints: hints }: JsonObject): JsonObject {
  return isObject(hints) ? hints : {};
}

function* languageTags(message: JsonObject): Iterable<{ at: string; tag: Json | undefined }> {
  const hints = hintsOf(message);
  yield { at: "/localization_hints/primary_language", tag: hints.primary_language };
  yield* tagsAt("/localization_hints/available_languages", hints.available_languages);
  yield* tagsAt("/localization_hints/fallback_chain", hints.fallback_chain);
  yield { at: "/language", tag: message.language };
  for (const name of ["capabilities", "honored_capabilities"]) {
    const capabilities = message[name];
    if (isObject(capabilities)) yield* tagsAt(`/${name}/languages`, capabilities.languages);
  }
}

function tagsAt(at: string, list: Json | undefined): { at: string; tag: Json }[] {
  return (Array.isArray(list) ? list : []).map((tag, index) => ({ at: `${at}/${index}`, tag }));
}
