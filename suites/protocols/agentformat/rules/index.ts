import type { RuleFamily } from "../../../../schemas/index.ts";
import { agentFamilies } from "./agent.ts";
import { bundle } from "./bundle.ts";
import { consent } from "./consent.ts";
import { forLinters } from "./linters.ts";
import { match } from "./match.ts";
import { merger } from "./merger.ts";
import { reading } from "./reading.ts";
import { selection } from "./selection.ts";
import { texts } from "./texts.ts";
import { tightening } from "./tightening.ts";

/** The semantic rules, family by family: those on one document and on its text, then those on records. */
export const families: readonly RuleFamily[] = [
  ...agentFamilies.map(forLinters),
  texts,
  reading,
  bundle,
  match,
  consent,
  tightening,
  merger,
  selection,
];
