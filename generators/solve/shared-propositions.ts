import type { Model } from "../model/model.ts";
import { Propositions } from "./propositions.ts";
import type { Search } from "./search.ts";

/** Larger propositions cost more than they save. */
const maxVariables = 30_000;

/**
 * The clauses and knowledge of a model, kept from one search to the next: the consequences of its schemas hold for every search. Lent to
 * one search at a time, and given back only where all that was learnt holds for others as well.
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

/** Of each model and those made from it, how many questions only learning answered. */
const learntCounts = new WeakMap<Model["anchors"], number>();

/** After this many of them, learning starts early for the others. */
const learntBeforeEarlyStart = 3;

/** Notes that other ways of searching led nowhere, and learning did. */
export function noteLearnt({ anchors, effort }: Model): void {
  if (effort !== undefined) learntCounts.set(anchors, (learntCounts.get(anchors) ?? 0) + 1);
}

/** Whether this model needs learning, as far as earlier searches show. Only where work is limited is it looked for. */
export function wantsLearning({ anchors, effort }: Model): boolean {
  return effort !== undefined && (learntCounts.get(anchors) ?? 0) >= learntBeforeEarlyStart;
}
