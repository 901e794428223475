import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Decisions, Limit } from "./decisions.ts";
import { get, LimitError, memberObject } from "./order.ts";

/** The amounts that a run has used, compared with its limits. */
export class Spending {
  readonly #limits: Partial<Record<Limit, number>>;
  readonly #spent: Record<Limit, number> = { tokens: 0, time: 0, "tool calls": 0, "model calls": 0, depth: 0 };
  readonly #decisions: Decisions;
  readonly #now: () => number;
  readonly #begun: number;
  /** Milliseconds from the beginning to the last call at which the time was checked. */
  #called = 0;

  constructor(constraints: JsonObject, decisions: Decisions, now: () => number) {
    const [limits, budget] = [memberObject(constraints, "limits"), memberObject(constraints, "budget")];
    const seconds = get(budget, "max_duration_seconds");
    const all = {
      tokens: get(budget, "max_token_usage"),
      time: typeof seconds === "number" ? seconds * 1000 : undefined,
      "tool calls": get(limits, "max_tool_calls"),
      "model calls": get(limits, "max_llm_calls"),
      depth: get(limits, "max_delegation_depth"),
    };
    this.#limits = Object.fromEntries(Object.entries(all).filter(([, limit]) => typeof limit === "number"));
    this.#decisions = decisions;
    this.#now = now;
    this.#begun = now();
  }

  /** Throws a LimitError if a call of this kind would exceed a limit. */
  call(kind: "tool calls" | "model calls" | "depth"): void {
    // Depth is the depth of a call, not the number of calls.
    const isDepth = kind === "depth";
    const counted = isDepth ? [kind] : this.#decisions.countsFor(kind);
    const amountOf = (limit: Limit): number =>
      isDepth ? this.#decisions.depthOf(this.#spent.depth) : this.#spent[limit] + 1;
    for (const limit of counted) this.#mustFit(limit, amountOf(limit));
    const elapsed = this.#now() - this.#begun;
    this.#mustFit("time", elapsed, this.#called);
    this.#called = elapsed;
    if (kind === "model calls") this.#mustFit("tokens", this.#spent.tokens);
    for (const limit of counted) this.#spent[limit] += 1;
  }

  tokens({ input = 0, output = 0 }: JsonObject): void {
    this.#spent.tokens += Number(input) + Number(output);
  }

  #mustFit(what: Limit, amount: number, before = 0): void {
    const limit = this.#limits[what];
    if (limit !== undefined && this.#decisions.exceeds(what, amount, limit, before))
      throw new LimitError(`the limit of ${limit} for ${what} is reached`);
  }
}
