import { isObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { openLine } from "../subscribing/open.ts";
import { needsSeveralLanguages, producerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { usualRequest } from "../subscribing/request.ts";
import { namesUnder } from "./names.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, beginSession, eventsOf, waitForDueOn } from "./story.ts";

/** The languages in which events are sent. */
export const languageScenarios: readonly Scenario[] = [
  toProducer({
    name: "language-unwanted",
    says: "an event is sent even if it has no text in a wanted language",
    rules: ["AAEP-I18N-005"],
    async play(context) {
      requireLevel(context, 3);
      const isJudged = await checkRareLanguage(context);
      const { languages } = producerFacts(context);
      const [firstLanguage = "en", ...others] = languages;
      const otherLanguage = others.find((language) => baseLanguage(language) !== baseLanguage(firstLanguage));
      if (otherLanguage === undefined) {
        if (isJudged) return;
        throw needsSeveralLanguages();
      }
      const line = await openLine(context, { capabilities: { ...usualRequest, languages: [firstLanguage] } });
      const reader = await openLine(context, {
        capabilities: { ...usualRequest, languages: [otherLanguage] },
        name: "reader",
      });
      const story = await beginSession(reader, context, "plain", { language: otherLanguage });
      const sessionOnLine = { ...story, line };
      const end = await waitForDueOn(line, context, (milliseconds) => awaitEnd(sessionOnLine, milliseconds));
      const hasLocalizedEvent = eventsOf(line, story.id).some((event) => isObject(event.localization_hints));
      context.expect(
        "AAEP-I18N-005",
        end !== undefined && hasLocalizedEvent,
        `events in ${otherLanguage} do not come to a subscription for ${firstLanguage}`,
      );
    },
  }),
  toProducer({
    name: "language-chosen",
    says: "the language is chosen in the given order",
    rules: ["AAEP-I18N-012"],
    async play(context) {
      requireLevel(context, 3);
      const { languages } = producerFacts(context);
      const otherLanguage = languages
        .slice(1)
        .find((language) => baseLanguage(language) !== baseLanguage(languages[0] ?? "en"));
      if (otherLanguage === undefined) throw needsSeveralLanguages();
      // Another region of the language does not match under 11.1.3, so it is tried only if the language has no regional form.
      const withoutRegion = languages
        .slice(1)
        .find((language) => !language.includes("-") && baseLanguage(language) !== baseLanguage(languages[0] ?? "en"));
      for (const [wanted, expected] of [
        [[otherLanguage], otherLanguage],
        ...(withoutRegion === undefined ? [] : [[[`${withoutRegion}-AQ`], withoutRegion]]),
        [["tlh", otherLanguage], otherLanguage],
      ] as [string[], string][]) {
        const line = await openLine(context, { capabilities: { ...usualRequest, languages: [...wanted] } });
        const story = await beginSession(line, context, "plain");
        await awaitEnd(story);
        const usedLanguages = eventsOf(line, story.id).flatMap(({ localization_hints: hints }) =>
          isObject(hints) && typeof hints.primary_language === "string" ? [hints.primary_language] : [],
        );
        if (usedLanguages.length === 0) throw new TargetSkip("its events do not name their language");
        const wrongLanguage = usedLanguages.find((language) => baseLanguage(language) !== baseLanguage(expected));
        const why = `to a subscription for ${wanted.join(", then ")} it sends ${wrongLanguage} although it supports ${expected}`;
        context.expect("AAEP-I18N-012", wrongLanguage === undefined, why);
        line.cut();
      }
    },
  }),
];

/** Checks that a subscription for a rare language gets events in another. Returns false if the subscription was refused. */
async function checkRareLanguage(context: ScenarioContext): Promise<boolean> {
  const capabilities = { ...usualRequest, languages: ["tlh"] };
  const line = await openLine(context, { capabilities, name: "foreign" }).catch((error: unknown) => {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  });
  if (line === undefined) return false;
  const names = await namesUnder(line, context);
  const why = "an accepted subscription gets no events if it wants none of the producer's languages";
  context.expect("AAEP-I18N-005", names !== undefined, why);
  return true;
}

function baseLanguage(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
