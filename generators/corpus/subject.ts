import {
  type Document,
  type Json,
  levelOf,
  type Protocol,
  type RuledProtocol,
  type RuleFamily,
} from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import type { Model } from "../model/model.ts";
import { breachesOf } from "../rules/beyond.ts";
import { standing } from "./judge.ts";
import { settled } from "./settled.ts";

export function subjectOf(protocol: RuledProtocol, document: Document, model: Model): Subject {
  const others = othersOf(protocol, document);
  // A seal is made last, over what was repaired as well.
  const families = protocol.families.filter(({ seals }) => seals !== true);
  const checkers = families.flatMap((each) => each.checkers.filter((one) => one.documents.includes(document.name)));
  const breaches = breachesOf(protocol, document, checkers);
  return {
    model,
    samples: (document.samples ?? []).map((each) => settled(model, each).sample),
    examples: examplesOf(families, (name) => name === document.name).filter((each) => breaches(each).length === 0),
    elsewhereRight: examplesOf(families, (name) => others.some((each) => each.name === name)),
    breaches,
    grave: new Set(protocol.rules.filter((rule) => levelOf(rule) === "MUST").map(({ id }) => id)),
    ruleOf: (site, via) => standing(protocol, { site, via, fault: "broken" }).rule?.id,
    decides: (site, via) => {
      const { open, needsFormats, level } = standing(protocol, { site, via, fault: "broken" });
      return !open && !needsFormats && level === "MUST";
    },
    elsewhere: elsewhereOf(protocol, document),
  };
}

/** Schemas that have a document of their own. */
export function elsewhereOf(protocol: Protocol, document: Document): ReadonlySet<string> {
  return new Set(othersOf(protocol, document).map(({ schema }) => schema));
}

function othersOf({ profile }: Protocol, { name }: Document): Document[] {
  return profile.documents.filter((each) => each.standalone && each.name !== name);
}

/** What the cases of rules show as right, of some documents. */
function examplesOf(families: readonly RuleFamily[], isAsked: (document: string) => boolean): Json[] {
  return families
    .flatMap(({ cases }) => cases)
    .filter(({ document }) => isAsked(document))
    .flatMap(({ valid }) => valid.flatMap(({ data }) => data ?? []));
}
