import { isObject, type Json, pointer } from "../../../schemas/index.ts";
import type { RawContext, RawFamily, RawParent, RawProposal } from "../raw.ts";
import { escapedLower, insert, quoteText } from "../text.ts";

/** A member name twice in one object. Each value alone would be valid, so only the repetition is wrong. */
export const repeatedNameFamily: RawFamily = {
  name: "repeated-name",
  dependsOnMembers: true,
  *propose(context) {
    const { minimal, find } = context;
    if (!isObject(minimal.value)) return;
    const [first] = Object.keys(minimal.value as object);
    if (first === undefined) return;
    const at = pointer.append("", first);
    yield { ...repeatName(minimal, at, quoteText(first)), detail: "same-value" };
    yield { ...repeatName(minimal, at, escapedLower(first)), detail: "escaped" };
    const nested = find((value) => isObject(value) && Object.keys(value).some((name) => name !== "__proto__"));
    if (nested !== undefined) {
      const name = Object.keys(nested.value as object).find((key) => key !== "__proto__") as string;
      yield { ...repeatName(nested.parent, pointer.append(nested.at, name), quoteText(name)), detail: "nested" };
    }
    yield* contradictions(context);
    yield* disguises(context);
  },
};

function repeatName(parent: RawParent, at: string, name: string): Omit<RawProposal, "detail"> {
  const { parent: holder, last } = pointer.split(at);
  const value = pointer.at(at, parent.value) as Json;
  const escapeNote = name === quoteText(last) ? "" : ", once in escapes,";
  return {
    parent,
    text: appendMember(parent, holder, name, value),
    says: `has the name ${quoteText(last)} twice${escapeNote} with the same value`,
    issue: "repeated",
    at,
  };
}

/** Repeats a member with another valid value. */
function* contradictions({ minimal: parent, discriminator, otherValue }: RawContext): Generator<RawProposal> {
  for (const name of Object.keys(parent.value as object)) {
    const at = pointer.append("", name);
    const second = at === discriminator?.at ? undefined : otherValue(parent, at);
    if (second === undefined) continue;
    yield {
      parent,
      detail: "other-value",
      detailSuffix: name,
      text: appendMember(parent, "", quoteText(name), second),
      says: `has the name ${quoteText(name)} twice with different values`,
      issue: "contradicted",
      at,
    };
  }
}

/** Repeats the member that selects the document, with its own value last, or first. */
function* disguises({ minimal: parent, discriminator }: RawContext): Generator<RawProposal> {
  const [other] = discriminator?.others ?? [];
  const span = parent.layout.names.get(discriminator?.at ?? "");
  if (discriminator === undefined || other === undefined || span === undefined) return;
  const { at } = discriminator;
  const { parent: holder, last } = pointer.split(at);
  const common = { parent, detail: "discriminator", issue: "contradicted", at } as const;
  yield {
    ...common,
    detailSuffix: "own-last",
    text: insert(parent.layout.text, span.start, `${quoteText(last)}:${quoteText(other)},`),
    says: `has the name ${quoteText(last)} twice, first with the value of another kind`,
  };
  yield {
    ...common,
    detailSuffix: "own-first",
    text: appendMember(parent, holder, quoteText(last), other),
    says: `has the name ${quoteText(last)} twice, last with the value of another kind`,
  };
}

/** Adds a member at the end of an object that is not empty. */
function appendMember({ layout }: RawParent, holder: string, name: string, value: Json): string {
  const end = layout.values.get(holder)?.end ?? layout.text.length;
  return insert(layout.text, end - 1, `,${name}:${JSON.stringify(value)}`);
}
