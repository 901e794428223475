import type { HubLimits } from "./settings.ts";

/** A correct hub that makes some choices differently from the reference hub. */
export interface HubTwin {
  name: string;
  /** The names of the choices that it makes. */
  choices: readonly string[];
  limits?: Partial<HubLimits>;
}

/** Each twin combines choices of `choices/` that do not affect each other. A choice may occur in several twins. */
export const hubTwins: readonly HubTwin[] = [
  { name: "sweeping", choices: ["sweeps", "pushes-by-real-time", "ignores-since", "ports-in-bindings"] },
  {
    name: "strict",
    choices: [
      "agent-first",
      "plain-titles",
      "plain-keys",
      "plain-resolvers",
      "parts-of-one-kind",
      "distinct-options",
      "identical-payloads",
      "whole-seconds",
      "callbacks-by-policy",
    ],
  },
  { name: "sparing", choices: ["large-counts-whole", "pushes-nothing"] },
  { name: "bearing", choices: ["listed-systems", "bearer-alone"] },
  {
    name: "bare",
    choices: ["large-counts-whole", "pushes-nothing"],
    limits: { bodyBytes: 200, partBytes: 262_144, contextParts: 0 },
  },
  {
    name: "lenient",
    choices: [
      "talkative-errors",
      "conflicts-alone",
      "review-addresses",
      "echoes-everything",
      "says-what-is-false",
      "version-of-the-message",
      "times-with-offset",
      "retries-redirects",
      "refuses-at-delivery",
    ],
  },
];
