import type { Model } from "../model/model.ts";
import { Propositions } from "./propositions.ts";
import type { Search } from "./search.ts";

/** The maximum number of variables. Keeping more costs more than it saves. */
const maxVariables = 30_000;

/**
 * The propositions of a model, kept from one search to the next, because the consequences of its schemas hold for every search. One search at a time borrows
 * them. It returns them only if everything that it learnt holds for other searches too.
 */
const propositionsOfModels = new WeakMap<Model["nodes"], Propositions>();

/** Returns the kept propositions, or new ones. */
export function borrowPropositions(search: Search): Propositions {
  const { nodes } = search.model;
  const shared = propositionsOfModels.get(nodes);
  propositionsOfModels.delete(nodes);
  if (shared === undefined) return new Propositions(search);
  shared.restartFor(search);
  return shared;
}

export function returnPropositions(model: Model, propositions: Propositions): void {
  if (propositions.clauses.variableCount <= maxVariables) propositionsOfModels.set(model.nodes, propositions);
}

/** The number of searches in which only learning found an answer, for a model and models made from it. */
const learntCounts = new WeakMap<Model["anchors"], number>();

/** After this many such searches, learning starts early. */
const learntBeforeEarlyStart = 3;

/** Records that learning found an answer when other searches did not. */
export function noteLearnt({ anchors, effort }: Model): void {
  if (effort !== undefined) learntCounts.set(anchors, (learntCounts.get(anchors) ?? 0) + 1);
}

/** Whether earlier searches on this model needed learning. Always false if work is not limited. */
export function wantsLearning({ anchors, effort }: Model): boolean {
  return effort !== undefined && (learntCounts.get(anchors) ?? 0) >= learntBeforeEarlyStart;
}
