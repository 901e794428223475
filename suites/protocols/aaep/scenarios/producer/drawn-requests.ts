import type { JsonObject } from "../../../../../schemas/index.ts";
import type { ScenarioDraw } from "../../../../running/scenarios/draw.ts";
import { usualCapabilities } from "../subscribing/request.ts";

/** The kinds of events that the suite's filters exclude. */
type FilteredKind = "progress" | "tool" | "state" | "output";

/** The patterns for each kind: by prefix, and by exact names. */
const filterSpellings: Readonly<Record<FilteredKind, readonly string[][]>> = {
  progress: [["aaep:agent.progress.*"], ["aaep:agent.progress.updated"]],
  tool: [["aaep:agent.tool.*"], ["aaep:agent.tool.invoked", "aaep:agent.tool.completed"]],
  state: [["aaep:agent.state.*"], ["aaep:agent.state.changed"]],
  output: [["aaep:agent.output.*"], ["aaep:agent.output.streaming"]],
};

/** Draws patterns that exclude all events of these kinds. */
export function drawExclusions(draw: ScenarioDraw, kinds: readonly FilteredKind[]): string[] {
  return kinds.flatMap((kind) => draw.one(filterSpellings[kind]));
}

/** Draws a change of terms without filters, which every producer may grant. */
export function drawSlightChange(draw: ScenarioDraw): JsonObject {
  return draw.one<JsonObject>([
    { preferred_verbosity: "terse" },
    { preferred_verbosity: "detailed" },
    { cognitive_load: draw.one(["low", "high"]) },
    { pace_wpm: draw.between(50, 1000) },
  ]);
}

const boundaries = ["word", "sentence", "paragraph", "completion"];

/** Draws two sets of modest capabilities. Each boundary is missing from one set, so granting it would exceed that request. */
export function drawModestCapabilities(draw: ScenarioDraw): JsonObject[] {
  const drawnBoundaries = draw.some(boundaries, 2);
  const otherBoundaries = boundaries.filter((boundary) => !drawnBoundaries.includes(boundary));
  return [drawnBoundaries, otherBoundaries].map((chosenBoundaries, index) => ({
    ...usualCapabilities,
    supports_clarification_reply: false,
    supported_conformance_levels: draw.one([[1, 2], [1], [2, 1]]),
    max_events_per_second: index === 0 ? draw.between(1, 9) : draw.between(10, 1000),
    coalesce_boundaries: chosenBoundaries,
    event_filters: {
      include: draw.one([
        ["aaep:agent.*"],
        ["*"],
        ["aaep:agent.session.*", "aaep:agent.progress.*", "aaep:agent.tool.*"],
      ]),
      exclude: drawExclusions(draw, draw.some(["progress", "tool", "output"] as const, draw.between(1, 2))),
    },
  }));
}
