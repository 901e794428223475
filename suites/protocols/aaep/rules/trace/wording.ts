import { type Breach, type Checker, isObject } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { onTerms } from "./recording.ts";
import { agreedMember, type SubscriptionTerms, sameLanguage, texts } from "./terms.ts";

/** The texts of an event, in length and language, compared with the terms. */
export const wordingCheckers: readonly Checker[] = [
  onTerms("AAEP-BP-007", findOtherLanguages),
  onTerms("AAEP-I18N-006", function* ({ message: { localization_hints: hints }, at }, terms) {
    const language = isObject(hints) ? hints.primary_language : undefined;
    const wanted = texts(agreedMember(terms, "languages")) ?? ["en-US"];
    if (typeof language === "string" && !wanted.some((each) => sameLanguage(each, language)))
      yield { at: `${at}/localization_hints/primary_language`, why: `is ${language}, and ${wanted} was agreed on` };
  }),
];

function* findOtherLanguages({ name, at, message }: Event, terms: SubscriptionTerms): Generator<Breach> {
  const wanted = agreedMember(terms, "preferred_verbosity");
  const { verbosity } = message;
  if (typeof wanted !== "string" || name === undefined || name === "agent.output.streaming") return;
  if (typeof verbosity === "string" && verbosity !== wanted)
    yield { at: `${at}/verbosity`, why: `is ${verbosity}, and ${wanted} is preferred` };
  // Another rule decides whether an event needs a normal summary.
  if ((wanted === "terse" || wanted === "detailed") && message[`summary_${wanted}`] === undefined)
    yield { at, why: `lacks the summary_${wanted} that is preferred` };
}
