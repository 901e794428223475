import { type Document, isObject, type Json, type Protocol, pointer, type TokenMember } from "../../schemas/index.ts";
import type { DocumentFacts } from "../drafts/other-kinds.ts";
import { handlerOf, subschemasOf } from "../keywords/table.ts";
import { type Model, nodeAt } from "../model/model.ts";
import { othersOf } from "./kinds.ts";

export async function namedFor(protocol: Protocol, document: Document, model: Model): Promise<DocumentFacts> {
  const { timeouts = [], tokens = [], kinds = [], documents } = protocol.profile;
  const concernsDocument = ({ documents: names }: { documents: string[] }): boolean => names.includes(document.name);
  const selectorEntries = Object.entries(document.when ?? {}).map(([at, [value]]) => [at, value as Json] as const);
  return {
    title: document.title,
    timeouts: timeouts.filter(concernsDocument),
    tokens: tokens.filter(concernsDocument),
    mistakes: document.mistakes ?? [],
    kinds: kinds.filter((kind) => kind.document === document.name),
    others: await othersOf(protocol, document),
    selector: Object.fromEntries(selectorEntries),
    isOpen: isOpenAt(model, model.root),
    kin: tokenKinds(tokens, documents),
  };
}

/** Collects one token for each prefix. */
function tokenKinds(tokens: readonly TokenMember[], documents: readonly Document[]): string[] {
  const tokenByPrefix = new Map<string, string>();
  for (const { documents: names, at } of tokens)
    for (const { samples = [] } of documents.filter(({ name }) => names.includes(name)))
      for (const sample of samples) {
        const token = isObject(sample) ? pointer.at(at, sample) : undefined;
        const [prefix] = (typeof token === "string" && /^[a-z]+_/.exec(token)) || [];
        if (prefix !== undefined && !tokenByPrefix.has(prefix)) tokenByPrefix.set(prefix, token as string);
      }
  return [...tokenByPrefix.values()];
}

function isOpenAt(model: Model, node: string): boolean {
  return nodeAt(model, node).keywords.every((keyword) => {
    if (keyword.kind === "additionalProperties" || keyword.kind === "unevaluatedProperties")
      return nodeAt(model, keyword.node).always !== false;
    const alwaysApplies = keyword.kind === "ref" || keyword.kind === "allOf";
    return (
      !alwaysApplies ||
      !handlerOf(keyword).inPlace ||
      subschemasOf(keyword, ({ node: target }) => target).every(({ node: target }) => isOpenAt(model, target))
    );
  });
}
