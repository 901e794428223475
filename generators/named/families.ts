import { type Document, isObject, type Json, type Protocol, pointer, type TokenMember } from "../../schemas/index.ts";
import type { DocumentFacts } from "../drafts/other-kinds.ts";
import { handlerOf, passagesOf } from "../keywords/table.ts";
import { type Model, nodeAt } from "../model/model.ts";
import { othersOf } from "./kinds.ts";

export async function namedFor(protocol: Protocol, document: Document, model: Model): Promise<DocumentFacts> {
  const { timeouts = [], tokens = [], kinds = [], documents } = protocol.profile;
  const isHere = ({ documents: all }: { documents: string[] }): boolean => all.includes(document.name);
  const first = Object.entries(document.when ?? {}).map(([at, [value]]) => [at, value as Json] as const);
  return {
    title: document.title,
    timeouts: timeouts.filter(isHere),
    tokens: tokens.filter(isHere),
    mistakes: document.mistakes ?? [],
    kinds: kinds.filter((kind) => kind.document === document.name),
    others: await othersOf(protocol, document),
    selector: Object.fromEntries(first),
    isOpen: isOpenAt(model, model.root),
    kin: kinOf(tokens, documents),
  };
}

/** One token for each beginning. */
function kinOf(tokens: readonly TokenMember[], documents: readonly Document[]): string[] {
  const found = new Map<string, string>();
  for (const { documents: names, at } of tokens)
    for (const { samples = [] } of documents.filter(({ name }) => names.includes(name)))
      for (const sample of samples) {
        const token = isObject(sample) ? pointer.at(at, sample) : undefined;
        const [prefix] = (typeof token === "string" && /^[a-z]+_/.exec(token)) || [];
        if (prefix !== undefined && !found.has(prefix)) found.set(prefix, token as string);
      }
  return [...found.values()];
}

function isOpenAt(model: Model, node: string): boolean {
  return nodeAt(model, node).keywords.every((keyword) => {
    if (keyword.kind === "additionalProperties" || keyword.kind === "unevaluatedProperties")
      return nodeAt(model, keyword.node).always !== false;
    const always = keyword.kind === "ref" || keyword.kind === "allOf";
    return (
      !always ||
      !handlerOf(keyword).inPlace ||
      passagesOf(keyword, ({ node: to }) => to).every(({ node: to }) => isOpenAt(model, to))
    );
  });
}
