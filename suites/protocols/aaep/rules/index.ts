import type { RuleFamily } from "../../../../schemas/index.ts";
import { consent } from "./consent.ts";
import { envelope } from "./envelope.ts";
import { extension } from "./extension.ts";
import { grant } from "./grant.ts";
import { language } from "./language.ts";
import { manifest } from "./manifest.ts";
import { member } from "./member.ts";
import { moment } from "./moment.ts";
import { payload } from "./payload.ts";
import { published } from "./published.ts";
import { question } from "./question.ts";
import { script } from "./script.ts";
import { secret } from "./secret.ts";
import { size } from "./size.ts";
import { subscription } from "./subscription.ts";
import { summary } from "./summary.ts";
import { text } from "./text.ts";
import { traceFamilies } from "./trace/index.ts";
import { type } from "./type.ts";
import { urgency } from "./urgency.ts";

/** The semantic rules, family by family. */
export const families: readonly RuleFamily[] = [
  text,
  type,
  extension,
  published,
  envelope,
  member,
  size,
  summary,
  urgency,
  payload,
  consent,
  question,
  moment,
  subscription,
  grant,
  manifest,
  language,
  script,
  secret,
  ...traceFamilies,
];
