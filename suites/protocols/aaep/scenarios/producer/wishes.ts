import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ScenarioDraw } from "../../../../running/scenarios/draw.ts";
import { usualRequest } from "../subscribing/request.ts";

/** Events that a filter may exclude. */
type FilteredKind = "progress" | "tool" | "state" | "output";

/** The spellings of each kind in filters: by name, and by prefix. */
const filterWays: Readonly<Record<FilteredKind, readonly string[][]>> = {
  progress: [["aaep:agent.progress.*"], ["aaep:agent.progress.updated"]],
  tool: [["aaep:agent.tool.*"], ["aaep:agent.tool.invoked", "aaep:agent.tool.completed"]],
  state: [["aaep:agent.state.*"], ["aaep:agent.state.changed"]],
  output: [["aaep:agent.output.*"], ["aaep:agent.output.streaming"]],
};

/** Patterns that exclude all events of these kinds, each kind in one of the spellings of filters. */
export function excludeOf(draw: ScenarioDraw, kinds: readonly FilteredKind[]): string[] {
  return kinds.flatMap((kind) => draw.one(filterWays[kind]));
}

/** Changes of terms without a filter, which every producer may grant. */
export function slightChange(draw: ScenarioDraw): JsonObject {
  return draw.one<JsonObject>([
    { preferred_verbosity: "terse" },
    { preferred_verbosity: "detailed" },
    { cognitive_load: draw.one(["low", "high"]) },
    { pace_wpm: draw.between(50, 1000) },
  ]);
}

const boundaries = ["word", "sentence", "paragraph", "completion"];

/** Requests for less than everything, which must be granted as requested at most: together they have every boundary that a grant could exceed. */
export function modestWishes(draw: ScenarioDraw): JsonObject[] {
  const one = draw.some(boundaries, 2);
  return [one, boundaries.filter((boundary) => !one.includes(boundary))].map((chosen, index) => ({
    ...usualRequest,
    supports_clarification_reply: false,
    supported_conformance_levels: draw.one([[1, 2], [1], [2, 1]]),
    max_events_per_second: index === 0 ? draw.between(1, 9) : draw.between(10, 1000),
    coalesce_boundaries: chosen,
    event_filters: {
      include: draw.one([
        ["aaep:agent.*"],
        ["*"],
        ["aaep:agent.session.*", "aaep:agent.progress.*", "aaep:agent.tool.*"],
      ]),
      exclude: excludeOf(draw, draw.some(["progress", "tool", "output"] as const, draw.between(1, 2))),
    },
  }));
}
