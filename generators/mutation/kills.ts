import type { Json } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import type { Location, Model } from "../model/model.ts";
import { type Mutant, mutated } from "./mutant.ts";

/** An instance with its verdict, and for each schema that its evaluation passes through which values fulfil it. */
export interface Witness {
  data: Json;
  valid: boolean;
  seen: ReadonlyMap<Location, readonly Seen[]>;
}

/** A value that a schema judged, and whether it fulfilled it wherever it was asked. */
interface Seen {
  value: Json;
  held: boolean;
}

export function witnessOf(model: Model, data: Json): Witness {
  const found = new Map<Location, Map<Json, Seen>>();
  const valid = isValid(model, data, {
    observe: (_keyword, _at, value, holds, { location }) => {
      const values = found.get(location) ?? new Map<Json, Seen>();
      if (values.size === 0) found.set(location, values);
      const known = values.get(value);
      if (known === undefined) values.set(value, { value, held: holds });
      else if (!holds) known.held = false;
    },
  });
  const seen = new Map([...found].map(([location, values]) => [location, [...values.values()]] as const));
  return { data, valid, seen };
}

/** The witnesses that a mutant judges otherwise than the schema, at most `enough` of them. */
export function killers<W extends Witness>(model: Model, mutant: Mutant, witnesses: readonly W[], enough: number): W[] {
  const changed = mutated(model, mutant);
  const local = isLocal(model);
  const judged = mutant.nodes.map(({ location }) => ({ location, verdicts: new Map<Json, boolean>() }));
  const found: W[] = [];
  for (const witness of witnesses) {
    const mayDiffer = local ? isToldInside(changed, judged, witness) : isConcerned(mutant, witness);
    if (!mayDiffer || isValid(changed, witness.data) === witness.valid) continue;
    found.push(witness);
    if (found.length >= enough) break;
  }
  return found;
}

/** Whether a schema says the same of a value wherever it is asked: nothing depends on the way there or on what others have evaluated. */
function isLocal({ nodes, anchors }: Model): boolean {
  for (const { marks } of nodes.values()) if (marks) return false;
  return Object.values(anchors).every((names) => Object.keys(names).length === 0);
}

/** A changed schema, and how it judges the values that it met: most witnesses share most of their values. */
interface Judged {
  location: Location;
  verdicts: Map<Json, boolean>;
}

/** Whether a changed schema judges some value otherwise. */
function isToldInside(changed: Model, judged: readonly Judged[], { seen }: Witness): boolean {
  for (const { location, verdicts } of judged) {
    const values = seen.get(location);
    if (values === undefined) continue;
    for (const { value, held } of values) {
      let holds = verdicts.get(value);
      if (holds === undefined) {
        holds = holdsAt(changed, location, value);
        verdicts.set(value, holds);
      }
      if (holds !== held) return true;
    }
  }
  return false;
}

/** Whether a changed schema is asked at all; a weaker one only matters where something failed. */
function isConcerned({ nodes, effect }: Mutant, { seen }: Witness): boolean {
  for (const { location } of nodes)
    for (const { held } of seen.get(location) ?? []) if (effect !== "weaker" || !held) return true;
  return false;
}
