import type { Model } from "../model/model.ts";
import { Propositions } from "./propositions.ts";
import type { Search } from "./search.ts";

/** Larger propositions cost more than they save. */
const maxVariables = 30_000;

/**
 * The clauses and knowledge of a model, kept from one search to the next: the consequences of its schemas hold for every search. One search at a time
 * borrows them, and returns them only if everything that it learnt also holds for others.
 */
const propositionsOfModels = new WeakMap<Model["nodes"], Propositions>();

/** The kept propositions, or new ones. */
export function borrowPropositions(search: Search): Propositions {
  const { nodes } = search.model;
  const before = propositionsOfModels.get(nodes);
  propositionsOfModels.delete(nodes);
  if (before === undefined) return new Propositions(search);
  before.goOn(search);
  return before;
}

export function returnPropositions(model: Model, propositions: Propositions): void {
  if (propositions.clauses.variables <= maxVariables) propositionsOfModels.set(model.nodes, propositions);
}

/** How many questions only learning answered, for a model and models made from it. */
const learntCounts = new WeakMap<Model["anchors"], number>();

/** After this many such questions, learning starts early. */
const learntBeforeEarlyStart = 3;

/** Records that learning found an answer when other searches did not. */
export function noteLearnt({ anchors, effort }: Model): void {
  if (effort !== undefined) learntCounts.set(anchors, (learntCounts.get(anchors) ?? 0) + 1);
}

/** Whether this model needs learning, as far as earlier searches show. This is checked only if work is limited. */
export function wantsLearning({ anchors, effort }: Model): boolean {
  return effort !== undefined && (learntCounts.get(anchors) ?? 0) >= learntBeforeEarlyStart;
}
