import { type Document, type Json, levelOf, type Protocol, type RuledProtocol } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import type { Model } from "../model/model.ts";
import { asPublished, everyDocument } from "../rules/families.ts";
import { breachesOf } from "../rules/rule-breaches.ts";
import { levelOfVerdict } from "./judge.ts";
import { settleSample } from "./settled-samples.ts";

export function subjectOf(protocol: RuledProtocol, document: Document, model: Model): Subject {
  const others = othersOf(protocol, document);
  // A signature is made last, after repairs.
  const families = protocol.families.filter(({ seals }) => seals !== true);
  const unsealed = { ...protocol, families };
  const checkers = families.flatMap((family) => family.checkers.filter((one) => one.documents.includes(document.name)));
  const breaches = breachesOf(protocol, document, checkers);
  return {
    model,
    samples: (document.samples ?? []).map((sample) => settleSample(model, sample).sample),
    examples: examplesOf(unsealed, (name) => name === document.name).filter(
      (example) => breaches(example).length === 0,
    ),
    otherExamples: examplesOf(unsealed, (name) => others.some((each) => each.name === name)),
    breaches,
    binding: new Set(protocol.rules.filter((rule) => levelOf(rule) === "MUST").map(({ id }) => id)),
    ruleOf: (site, via) => levelOfVerdict(protocol, { site, via, fault: "broken" }).rule?.id,
    decides: (site, via) => {
      const { open, needsFormats, level } = levelOfVerdict(protocol, { site, via, fault: "broken" });
      return !open && !needsFormats && level === "MUST";
    },
    elsewhere: elsewhereOf(protocol, document),
  };
}

/** Schemas that have their own document. */
export function elsewhereOf(protocol: Protocol, document: Document): ReadonlySet<string> {
  return new Set(othersOf(protocol, document).map(({ schema }) => schema));
}

function othersOf({ profile }: Protocol, { name }: Document): Document[] {
  return profile.documents.filter((document) => document.standalone && document.name !== name);
}

/** The valid cases of rules, for some documents, in the order of publication. */
function examplesOf(protocol: RuledProtocol, isAsked: (document: string) => boolean): Json[] {
  const published = protocol.families
    .flatMap(({ cases }) => cases)
    .flatMap(({ rule, document, valid }) => valid.map(({ name, data }) => ({ rule, document, name, data })));
  const all = asPublished(protocol, everyDocument, published, (each) => each);
  // Each document keeps the positions that it had among the others.
  const remaining = new Map<string, typeof all>();
  for (const document of new Set(all.map((each) => each.document)))
    remaining.set(
      document,
      asPublished(
        protocol,
        document,
        all.filter((each) => each.document === document),
        (each) => each,
      ),
    );
  return all.flatMap(({ document }) => {
    const next = remaining.get(document)?.shift();
    return isAsked(document) ? (next?.data ?? []) : [];
  });
}

/** Whether a site lies in a schema that is tested at another document. */
export function isElsewhere(site: string, elsewhere: ReadonlySet<string> = new Set()): boolean {
  return elsewhere.has(site.slice(0, site.indexOf("#")));
}
