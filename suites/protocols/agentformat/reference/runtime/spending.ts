import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Decisions, Limit } from "./decisions.ts";
import { get, LimitError, memberObject } from "./order.ts";

/** The amounts that a run has used, compared with its limits. */
export class Spending {
  readonly #limits: Partial<Record<Limit, number>>;
  readonly #spent: Record<Limit, number> = { tokens: 0, time: 0, "tool calls": 0, "model calls": 0, depth: 0 };
  readonly #decisions: Decisions;
  readonly #now: () => number;
  readonly #startedAt: number;
  /** Milliseconds from the start of the run to its previous call. */
  #checkedAfterMs = 0;

  constructor(constraints: JsonObject, decisions: Decisions, now: () => number) {
    const [limits, budget] = [memberObject(constraints, "limits"), memberObject(constraints, "budget")];
    const seconds = get(budget, "max_duration_seconds");
    const declaredLimits = {
      tokens: get(budget, "max_token_usage"),
      time: typeof seconds === "number" ? seconds * 1000 : undefined,
      "tool calls": get(limits, "max_tool_calls"),
      "model calls": get(limits, "max_llm_calls"),
      depth: get(limits, "max_delegation_depth"),
    };
    this.#limits = Object.fromEntries(Object.entries(declaredLimits).filter(([, limit]) => typeof limit === "number"));
    this.#decisions = decisions;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Counts a call. Throws a LimitError if it would exceed a limit. */
  countCall(kind: "tool calls" | "model calls" | "depth"): void {
    // Depth is the depth of a call, not the number of calls.
    const isDepth = kind === "depth";
    const limits = isDepth ? [kind] : this.#decisions.countsFor(kind);
    const amountOf = (limit: Limit): number =>
      isDepth ? this.#decisions.depthOf(this.#spent.depth) : this.#spent[limit] + 1;
    for (const limit of limits) this.#checkLimit(limit, amountOf(limit));
    const elapsed = this.#now() - this.#startedAt;
    this.#checkLimit("time", elapsed, this.#checkedAfterMs);
    this.#checkedAfterMs = elapsed;
    if (kind === "model calls") this.#checkLimit("tokens", this.#spent.tokens);
    for (const limit of limits) this.#spent[limit] += 1;
  }

  addTokens({ input = 0, output = 0 }: JsonObject): void {
    this.#spent.tokens += Number(input) + Number(output);
  }

  #checkLimit(subject: Limit, amount: number, before = 0): void {
    const limit = this.#limits[subject];
    if (limit !== undefined && this.#decisions.exceeds(subject, amount, limit, before))
      throw new LimitError(`the limit of ${limit} for ${subject} is reached`);
  }
}
