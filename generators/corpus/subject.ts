import type { Document, Protocol } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import type { Model } from "../model/model.ts";
import { breachesOf } from "../rules/beyond.ts";
import { ruleFamilies } from "../rules/families.ts";

export function subjectOf(protocol: Protocol, document: Document, model: Model): Subject {
  const others = protocol.profile.documents.filter((each) => each.standalone && each.name !== document.name);
  // A signature is made last, over what was mended as well.
  const families = ruleFamilies(protocol.name).filter(({ name }) => name !== "signatures");
  const checkers = families.flatMap((each) => each.checkers.filter((one) => one.documents.includes(document.name)));
  const breaches = breachesOf(protocol, document, checkers);
  return {
    model,
    samples: document.samples ?? [],
    breaches,
    elsewhere: new Set(others.map((each) => each.schema)),
  };
}
