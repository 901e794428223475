import { isObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { openSubscription } from "../subscribing/open.ts";
import { makeLanguagesSkip, readProducerFacts, requireLevel } from "../subscribing/producer-facts.ts";
import { usualCapabilities } from "../subscribing/request.ts";
import { collectNamesUnderNewTerms } from "./event-names.ts";
import { toProducer } from "./scenario.ts";
import { awaitDueEventOn, awaitEnd, beginSession, eventsOf } from "./session.ts";

/** Scenarios on the languages of events. */
export const languageScenarios: readonly Scenario[] = [
  toProducer({
    name: "language-unwanted",
    says: "an event is sent even without text in a requested language",
    rules: ["AAEP-I18N-005"],
    async play(context) {
      requireLevel(context, 3);
      const isJudged = await checkRareLanguage(context);
      const { languages } = readProducerFacts(context);
      const [firstLanguage = "en", ...others] = languages;
      const otherLanguage = others.find((language) => baseLanguage(language) !== baseLanguage(firstLanguage));
      if (otherLanguage === undefined) {
        if (isJudged) return;
        throw makeLanguagesSkip();
      }
      const subscription = await openSubscription(context, {
        capabilities: { ...usualCapabilities, languages: [firstLanguage] },
      });
      const reader = await openSubscription(context, {
        capabilities: { ...usualCapabilities, languages: [otherLanguage] },
        name: "reader",
      });
      const session = await beginSession(reader, context, "plain", { language: otherLanguage });
      const sessionOnSubscription = { ...session, subscription };
      const end = await awaitDueEventOn(subscription, context, (milliseconds) =>
        awaitEnd(sessionOnSubscription, milliseconds),
      );
      const hasLocalizedEvent = eventsOf(subscription, session.id).some((event) => isObject(event.localization_hints));
      context.expect(
        "AAEP-I18N-005",
        end !== undefined && hasLocalizedEvent,
        `events in ${otherLanguage} do not reach a subscription for ${firstLanguage}`,
      );
    },
  }),
  toProducer({
    name: "language-chosen",
    says: "the language is chosen in the given order",
    rules: ["AAEP-I18N-012"],
    async play(context) {
      requireLevel(context, 3);
      const { languages } = readProducerFacts(context);
      const otherLanguage = languages
        .slice(1)
        .find((language) => baseLanguage(language) !== baseLanguage(languages[0] ?? "en"));
      if (otherLanguage === undefined) throw makeLanguagesSkip();
      // Under 11.1.3 another region of the same language does not match, so a region is only tried if the language has no regional form.
      const languageWithoutRegion = languages
        .slice(1)
        .find((language) => !language.includes("-") && baseLanguage(language) !== baseLanguage(languages[0] ?? "en"));
      const choices: [wanted: string[], expected: string][] = [[[otherLanguage], otherLanguage]];
      if (languageWithoutRegion !== undefined) choices.push([[`${languageWithoutRegion}-AQ`], languageWithoutRegion]);
      choices.push([["tlh", otherLanguage], otherLanguage]);
      for (const [wantedLanguages, expectedLanguage] of choices) {
        const subscription = await openSubscription(context, {
          capabilities: { ...usualCapabilities, languages: [...wantedLanguages] },
        });
        const session = await beginSession(subscription, context, "plain");
        await awaitEnd(session);
        const usedLanguages = eventsOf(subscription, session.id).flatMap(({ localization_hints: hints }) =>
          isObject(hints) && typeof hints.primary_language === "string" ? [hints.primary_language] : [],
        );
        if (usedLanguages.length === 0) throw new TargetSkip("its events do not name their language");
        const wrongLanguage = usedLanguages.find(
          (language) => baseLanguage(language) !== baseLanguage(expectedLanguage),
        );
        const why = `it sends ${wrongLanguage} to a subscription for ${wantedLanguages.join(", then ")}, although it supports ${expectedLanguage}`;
        context.expect("AAEP-I18N-012", wrongLanguage === undefined, why);
        subscription.cut();
      }
    },
  }),
];

/** Checks that a subscription for a rare language receives events in another one. Returns false if the subscription was refused. */
async function checkRareLanguage(context: ScenarioContext): Promise<boolean> {
  const capabilities = { ...usualCapabilities, languages: ["tlh"] };
  const subscription = await openSubscription(context, { capabilities, name: "foreign" }).catch((error: unknown) => {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  });
  if (subscription === undefined) return false;
  const names = await collectNamesUnderNewTerms(subscription, context);
  const why = "an accepted subscription receives no events if it wants none of the producer's languages";
  context.expect("AAEP-I18N-005", names !== undefined, why);
  return true;
}

function baseLanguage(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
