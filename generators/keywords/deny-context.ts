import type { Formula } from "../formulas/formula.ts";
import { type KeywordOf, type Location, type Model, resolveDynamic, type Scope } from "../model/model.ts";

/** The violation of one keyword, with formulas for its subschemas. */
export class DenyContext {
  /** The schema that contains the keyword. */
  readonly node: Location;
  /** The entry that must be broken while the others hold; if absent, any entry. */
  readonly entry: number | undefined;
  readonly scope: Scope;
  readonly #model: Model;

  constructor(model: Model, node: Location, scope: Scope, entry?: number) {
    this.#model = model;
    this.node = node;
    this.scope = scope;
    this.entry = entry;
  }

  mustHold(node: Location): Formula {
    return { op: "schema", node, sign: true, scope: this.scope };
  }

  mustFail(node: Location): Formula {
    return { op: "schema", node, sign: false, scope: this.scope };
  }

  resolve(keyword: KeywordOf<"dynamicRef">): Location {
    return resolveDynamic(this.#model, keyword, this.scope);
  }
}
