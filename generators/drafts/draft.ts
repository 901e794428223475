import type { Change, Json, JsonObject } from "../../schemas/index.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Location, Model } from "../model/model.ts";
import type { TestedElsewhere } from "./other-documents.ts";
import type { DocumentFacts } from "./other-kinds.ts";
import type { FaultStep } from "./route.ts";
import type { Watch } from "./work-progress.ts";

/** A vector before it has its id and verdict. */
export interface Draft {
  data: Json;
  /** The parts of the vector's id: location, then fault or demand, then detail. */
  name: string[];
  at: string;
  says: string;
  tags: string[];
  site?: Location;
  /** The place through which the site was reached, for the rule that a reference belongs to. */
  place?: EvaluationPlace;
  fault?: string;
  /** The whole description, if it is not made from `at` and `says`. */
  description?: string;
  /** The decisive assertion of an instance that breaks several. No other assertion compensates for it. */
  because?: Location;
  /** The change that made a valid instance of a named family, for a semantic rule that refuses it. */
  injected?: { fault: string; parent: Draft; change: Change[] };
  /** Set if a named family made the draft, so that it is always published: `only` if there is no other reason, otherwise `also`. */
  named?: "only" | "also";
  /** Whether the instance combines many values. A refusal of it says little, and other drafts test the values one by one. */
  packed?: true;
  /** The path to the fault. */
  route?: FaultStep[];
  parent?: Draft;
  change?: Change[];
  /** The features that the instance shows, as keys. A set has some draft for each feature. */
  features: string[];
  /** The unique features that the instance shows, as keys. A set has the first draft for each. */
  uniqueFeatures: string[];
}

export interface Subject {
  model: Model;
  /** Realistic valid instances as sources of values. */
  samples: readonly Json[];
  /** Instances that are known to break no semantic rule. */
  examples?: readonly Json[];
  /** Like `examples`, but for other documents, which may share schemas with this one. */
  otherExamples?: readonly Json[];
  /** Lists the semantic rules that an instance breaks: among the given rules, or among all. */
  breaches?: (instance: Json, among?: readonly string[]) => string[];
  /** The binding rules. A repair satisfies other rules only if no binding one is broken. Absent: all are binding. */
  binding?: ReadonlySet<string>;
  /** The rule that an assertion states. Breaking that rule is the same fault. */
  ruleOf?: (site: Location, route: readonly FaultStep[]) => string | undefined;
  /** Schemas with their own set elsewhere: their sites get only the most distinctive faults. */
  elsewhere: TestedElsewhere;
  /** Types and formats that earlier documents assert, as content keys. They are tested in full there. */
  before?: ReadonlySet<string>;
  /** The facts about the document that named families need. */
  named?: DocumentFacts;
  /** Whether a refusal for an assertion is certain: its violation has level MUST. */
  decides?: (site: Location, route: readonly FaultStep[]) => boolean;
  /** Whether an implementation may ignore formats. */
  annotates?: true;
  /** The schema is a user's. Tests at a single member use a required one, so that a new optional member does not move them. */
  foreign?: true;
  /** May end the work early. */
  watch?: Watch;
  /** Work that is allowed for a stage. */
  effort?: number;
}

/** The semantic rules of a subject. */
export type Rules = Pick<Subject, "breaches" | "binding">;

/** Counts the binding rules that an instance breaks. */
export function countBindingBreaches({ breaches, binding }: Rules, data: Json): number {
  return breaches?.(data).filter((rule) => binding?.has(rule) !== false).length ?? 0;
}

/** Finds the binding rules that an instance breaks besides the assertion of a fault. An implementation that enforces them refuses it regardless of the assertion. */
export function findMaskingRules(
  { breaches, binding, ruleOf }: Subject,
  { site, route, place }: Pick<Draft, "site" | "route" | "place">,
  data: Json,
): string[] {
  const broken = site === undefined ? [] : (breaches?.(data).filter((rule) => binding?.has(rule) !== false) ?? []);
  const ownRule = broken.length === 0 ? undefined : ruleOf?.(site as Location, route ?? place?.steps ?? []);
  return broken.filter((rule) => rule !== ownRule);
}

/** Drafts in the order of their addition, each instance once. */
export class Drafts {
  readonly all: Draft[] = [];
  readonly #byKey = new Map<string, Draft>();

  /** Adds the draft. If the same instance exists, it gets the features of both. Returns the stored draft. */
  add(draft: Draft): Draft {
    // Instances that differ only in the order of members are the same, unless the draft is about the order.
    const key = keyOf(draft);
    const stored = this.#byKey.get(key);
    if (stored !== undefined) {
      stored.features.push(...draft.features);
      stored.uniqueFeatures.push(...draft.uniqueFeatures);
      return stored;
    }
    this.#byKey.set(key, draft);
    this.all.push(draft);
    return draft;
  }

  /** Replaces the instance of a draft by a unique instance. */
  replace(draft: Draft, replacement: Pick<Draft, "data" | "parent" | "change">): void {
    this.#byKey.delete(keyOf(draft));
    Object.assign(draft, replacement);
    this.#byKey.set(keyOf(draft), draft);
  }

  has(data: Json): boolean {
    return this.find(data) !== undefined;
  }

  /** The draft with this instance, if there is one. */
  find(data: Json): Draft | undefined {
    return this.#byKey.get(JSON.stringify(data, sortMembers));
  }
}

function keyOf({ data, tags }: Draft): string {
  return tags.includes("member-order") ? JSON.stringify(data) : JSON.stringify(data, sortMembers);
}

function sortMembers(_name: string, value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value).sort();
  return names.every((name, index) => name === Object.keys(value)[index])
    ? value
    : (Object.fromEntries(names.map((name) => [name, (value as JsonObject)[name]])) as JsonObject);
}
