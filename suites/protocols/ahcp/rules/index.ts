import type { RuleFamily } from "../../../../schemas/index.ts";
import { answer } from "./answer.ts";
import { authoring } from "./authoring.ts";
import { conduct } from "./conduct.ts";
import { defaults } from "./defaults.ts";
import { delivery } from "./delivery.ts";
import { digest } from "./digest.ts";
import { errors } from "./error.ts";
import { flatness } from "./flatness.ts";
import { outcomeRules } from "./outcome.ts";
import { sensitive } from "./sensitive.ts";
import { stored } from "./stored.ts";
import { submission } from "./submission.ts";
import { tolerated } from "./tolerated.ts";

/** The semantic rules, family by family. */
export const families: readonly RuleFamily[] = [
  tolerated,
  authoring,
  flatness,
  defaults,
  submission,
  stored,
  outcomeRules,
  answer,
  sensitive,
  errors,
  conduct,
  delivery,
  digest,
];
