import {
  type LiveChoice,
  type LiveReference,
  protocolNamed,
  type Scenario,
  TargetFailure,
} from "../../../schemas/index.ts";
import type { TrialGround } from "./trial-ground.ts";

const rule = "SNAP-VER-002";

/** Reports a party that is both late and terse. Detects the breach of a variant only with the hook `look`. A slow party answers only in unscaled waits, and a stuck party never does. */
const scenario: Scenario = {
  name: "toy",
  side: "agent",
  says: "how a toy behaves",
  rules: [rule],
  needs: [],
  withinMs: 1000,
  async play(context) {
    const { choices = [], variant } = context.setting.options ?? {};
    const has = (choice: string): boolean => Array.isArray(choices) && choices.includes(choice);
    if (has("stuck") || (has("slow") && (context.setting.timeScale ?? 1) < 1))
      throw new TargetFailure("timed-out", "look", "no answer came in time");
    const isWrong = ["late", "terse"].every(has);
    if (context.has("look")) context.expect(rule, variant === undefined && !isWrong, "it is broken, or late and terse");
    else if (variant === "seen") context.expect(rule, true, "it is not looked at");
    else context.skip(rule, "nothing looks at it");
  },
};

function choice(name: string, factor = name): LiveChoice {
  return { name, factor, side: "agent", kind: "tempo", freedoms: [], says: `is ${name}` };
}

const live: LiveReference = {
  serve: () => Promise.reject(new Error("a toy is not served")),
  async open({ choices = [], variant } = {}) {
    const options = { choices: [...choices], ...(variant === undefined ? {} : { variant }) };
    return { setting: { side: "agent", options, hooks: { look: () => ({}) } }, close: async () => {} };
  },
  choices: [choice("late", "pace"), choice("later", "pace"), choice("terse"), choice("loud"), choice("idle")],
  variants: [
    { name: "seen", side: "agent", rule, says: "is broken, and conforms unless something looks" },
    { name: "unseen", side: "agent", rule, says: "is broken" },
  ],
};

/** A party with two choices that only together cause an accusation, and two variants. */
export const toy: TrialGround = { protocol: protocolNamed("snap"), scenarios: [scenario], live };
