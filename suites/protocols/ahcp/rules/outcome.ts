import { type Breach, type Checker, equal, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { exchangeIn, withResponse } from "./exchange.ts";

export const outcomeCheckers: readonly Checker[] = [
  {
    rule: "AHCP-RSP-008",
    documents: withResponse,
    *check(instance, document) {
      const exchange = exchangeIn(instance, document);
      if (exchange?.type === "ask" && exchange.envelope.response === undefined)
        yield { at: exchange.at, why: `has no response, and an ask that is ${exchange.resolution} needs one` };
    },
  },
  {
    rule: "AHCP-RSP-009",
    documents: withResponse,
    *check(instance, document): Iterable<Breach> {
      const { type, detail, at } = exchangeIn(instance, document) ?? {};
      if (type !== "task" || detail === undefined) return;
      if (detail.value !== undefined) yield { at: `${at}/response/value`, why: "is a value, and a task has none" };
      if (detail.checklist !== undefined) yield* checkChecklist(detail.checklist, `${at}/response/checklist`);
      // A response without either is accepted, because only it names the resolver and the time.
      else if (detail.comment === undefined && detail.value === undefined)
        yield {
          at: `${at}/response`,
          why: "says neither a comment nor a checklist, and is there for these",
          level: "MAY",
        };
    },
  },
  {
    rule: "AHCP-RSP-013",
    documents: ["outcome"],
    *check(record) {
      const message = pointer.at("/message", record);
      const envelope = pointer.at("/response", record);
      if (!isObject(message) || !isObject(envelope)) return;
      const { state: submittedState } = message;
      const { state: returnedState } = envelope;
      if (submittedState === undefined && returnedState !== undefined)
        yield { at: "/response/state", why: "was never submitted" };
      else if (submittedState !== undefined && returnedState === undefined)
        yield { at: "/response", why: "does not bring back the state" };
      else if (submittedState !== undefined && returnedState !== undefined && !equal(submittedState, returnedState))
        yield { at: "/response/state", why: "is not the state that was submitted" };
    },
  },
  {
    rule: "AHCP-RSP-017",
    documents: withResponse,
    *check(instance, document): Iterable<Breach> {
      const { envelope, at } = exchangeIn(instance, document) ?? {};
      if (envelope === undefined) return;
      for (const path of ["", "/response"]) {
        const holder = pointer.at(path, envelope);
        if (!isObject(holder)) continue;
        for (const name of ["payload_sha256", "signature", "signed_context"])
          if (Object.hasOwn(holder, name))
            yield {
              at: `${at}${path}/${name}`,
              why: "is part of the signature, which travels in the header",
              ...(name === "payload_sha256" ? {} : { level: "SHOULD" }),
            };
      }
    },
  },
];

/** Checks a checklist in a Response. The schema does not define it there, so it should have the format of the submitted one. */
function* checkChecklist(checklist: Json, at: string): Iterable<Breach> {
  const isItem = (item: Json): boolean =>
    isObject(item) && typeof item.text === "string" && (item.done === undefined || typeof item.done === "boolean");
  if (!Array.isArray(checklist)) yield { at, why: "is not a list of items", level: "SHOULD" };
  else
    for (const [index, item] of checklist.entries())
      if (!isItem(item))
        yield { at: `${at}/${index}`, why: "is not an item with a text, and whether it is done", level: "SHOULD" };
}
