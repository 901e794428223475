import type { CliCommand } from "../command.ts";
import { agent } from "./agent.ts";
import { baseline } from "./baseline.ts";
import { challenge } from "./challenge.ts";
import { check } from "./check.ts";
import { completions } from "./completions.ts";
import { coverage } from "./coverage.ts";
import { explain } from "./explain.ts";
import { fuzz } from "./fuzz.ts";
import { generate } from "./generate.ts";
import { init } from "./init.ts";
import { list } from "./list.ts";
import { replay } from "./replay.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";
import { selftest } from "./selftest.ts";
import { serve } from "./serve.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly CliCommand[] = [
  init,
  run,
  challenge,
  fuzz,
  agent,
  replay,
  explain,
  baseline,
  report,
  validate,
  list,
  generate,
  coverage,
  check,
  serve,
  selftest,
  completions,
];
