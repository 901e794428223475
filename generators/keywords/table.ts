import type { Keyword, Location } from "../model/model.ts";
import type { KeywordHandler, Passage, Resolve } from "./handler.ts";
import { keywords } from "./index.ts";

/** What is known of a keyword. */
export function handlerOf({ kind }: Pick<Keyword, "kind">): KeywordHandler {
  return keywords[kind] as KeywordHandler;
}

/** The schemas that a keyword looks into, whatever for. */
export function childrenOf(keyword: Keyword): Location[] {
  return handlerOf(keyword).children?.(keyword) ?? [];
}

/** The schemas that must hold where the keyword does, on some branch. */
export function passagesOf(keyword: Keyword, resolve: Resolve): Passage[] {
  return handlerOf(keyword).passages?.(keyword, resolve) ?? [];
}
