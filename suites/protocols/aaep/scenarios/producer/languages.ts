import { isObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { openLine } from "../subscribing/open.ts";
import { knownOf, mustClaim, oneLanguage } from "../subscribing/producer-facts.ts";
import { usualRequest } from "../subscribing/request.ts";
import { namesUnder } from "./names.ts";
import { toProducer } from "./scenario.ts";
import { beginSession, dueOn, endOf, eventsOf } from "./story.ts";

/** The languages of events. */
export const languageScenarios: readonly Scenario[] = [
  toProducer({
    name: "language-unwanted",
    says: "an event comes even if it has no text in a wanted language",
    rules: ["AAEP-I18N-005"],
    async play(context) {
      mustClaim(context, 3);
      const isJudged = await judgeForeign(context);
      const { languages } = knownOf(context);
      const [first = "en", ...others] = languages;
      const other = others.find((each) => base(each) !== base(first));
      if (other === undefined) {
        if (isJudged) return;
        throw oneLanguage();
      }
      const line = await openLine(context, { capabilities: { ...usualRequest, languages: [first] } });
      const reader = await openLine(context, { capabilities: { ...usualRequest, languages: [other] }, name: "reader" });
      const story = await beginSession(reader, context, "plain", { language: other });
      const heard = { ...story, line };
      const end = await dueOn(line, context, (milliseconds) => endOf(heard, milliseconds));
      const isHeard = eventsOf(line, story.id).some((event) => isObject(event.localization_hints));
      context.expect(
        "AAEP-I18N-005",
        end !== undefined && isHeard,
        `events in ${other} do not come to a subscription for ${first}`,
      );
    },
  }),
  toProducer({
    name: "language-chosen",
    says: "the language is chosen in the given order",
    rules: ["AAEP-I18N-012"],
    async play(context) {
      mustClaim(context, 3);
      const { languages } = knownOf(context);
      const other = languages.slice(1).find((language) => base(language) !== base(languages[0] ?? "en"));
      if (other === undefined) throw oneLanguage();
      // Another region of the language does not match under 11.1.3, so it is tried only if the language has no regional form.
      const bare = languages
        .slice(1)
        .find((language) => !language.includes("-") && base(language) !== base(languages[0] ?? "en"));
      for (const [wanted, due] of [
        [[other], other],
        ...(bare === undefined ? [] : [[[`${bare}-AQ`], bare]]),
        [["tlh", other], other],
      ] as [string[], string][]) {
        const line = await openLine(context, { capabilities: { ...usualRequest, languages: [...wanted] } });
        const story = await beginSession(line, context, "plain");
        await endOf(story);
        const told = eventsOf(line, story.id).flatMap(({ localization_hints: hints }) =>
          isObject(hints) && typeof hints.primary_language === "string" ? [hints.primary_language] : [],
        );
        if (told.length === 0) throw new TargetSkip("its events do not name their language");
        const wrong = told.find((each) => base(each) !== base(due));
        const why = `to a subscription for ${wanted.join(", then ")} it speaks ${wrong}, though it has ${due}`;
        context.expect("AAEP-I18N-012", wrong === undefined, why);
        line.cut();
      }
    },
  }),
];

/** A subscription for a language that hardly any producer has gets events in another one, if it is accepted. Returns false if it is not. */
async function judgeForeign(context: ScenarioContext): Promise<boolean> {
  const capabilities = { ...usualRequest, languages: ["tlh"] };
  const line = await openLine(context, { capabilities, name: "foreign" }).catch((error: unknown) => {
    if (error instanceof TargetSkip) return undefined;
    throw error;
  });
  if (line === undefined) return false;
  const names = await namesUnder(line, context);
  const why = "no event comes to an accepted subscription that wants none of the producer's languages";
  context.expect("AAEP-I18N-005", names !== undefined, why);
  return true;
}

function base(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
