import { type Breach, type Checker, isObject } from "../../../../../schemas/index.ts";
import type { Event } from "./event.ts";
import { onTerms } from "./recording.ts";
import { agreedMember, isSameLanguage, type SubscriptionTerms, stringsIn } from "./terms.ts";

/** Checks that the length and the language of an event's texts fit the terms. */
export const wordingCheckers: readonly Checker[] = [
  onTerms("AAEP-BP-007", findOtherVerbosity),
  onTerms("AAEP-I18N-006", function* ({ message: { localization_hints: hints }, at }, terms) {
    const language = isObject(hints) ? hints.primary_language : undefined;
    const agreedLanguages = stringsIn(agreedMember(terms, "languages")) ?? ["en-US"];
    if (
      typeof language === "string" &&
      !agreedLanguages.some((agreedLanguage) => isSameLanguage(agreedLanguage, language))
    )
      yield {
        at: `${at}/localization_hints/primary_language`,
        why: `is ${language}, but ${agreedLanguages} was agreed on`,
      };
  }),
];

function* findOtherVerbosity({ name, at, message }: Event, terms: SubscriptionTerms): Generator<Breach> {
  const preferredVerbosity = agreedMember(terms, "preferred_verbosity");
  const { verbosity } = message;
  if (typeof preferredVerbosity !== "string" || name === undefined || name === "agent.output.streaming") return;
  if (typeof verbosity === "string" && verbosity !== preferredVerbosity)
    yield { at: `${at}/verbosity`, why: `is ${verbosity}, but ${preferredVerbosity} is preferred` };
  // Another rule decides whether an event needs a normal summary.
  if (
    (preferredVerbosity === "terse" || preferredVerbosity === "detailed") &&
    message[`summary_${preferredVerbosity}`] === undefined
  )
    yield { at, why: `lacks the preferred summary_${preferredVerbosity}` };
}
