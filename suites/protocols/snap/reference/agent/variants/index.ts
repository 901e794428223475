import { answerVariants } from "./answers.ts";
import { checkVariants } from "./checks.ts";
import { contentVariants } from "./contents.ts";
import { courseVariants } from "./courses.ts";
import { lapseVariants } from "./lapses.ts";
import { nostrVariants } from "./nostr.ts";
import { streamVariants } from "./streams.ts";
import { taskVariants } from "./tasks.ts";
import type { AgentVariant } from "./variant.ts";

export const agentVariants: readonly AgentVariant[] = [
  ...checkVariants,
  ...answerVariants,
  ...contentVariants,
  ...taskVariants,
  ...streamVariants,
  ...nostrVariants,
  ...lapseVariants,
  ...courseVariants,
];
