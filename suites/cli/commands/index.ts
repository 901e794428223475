import type { CliCommand } from "../command.ts";
import { coverage } from "./coverage.ts";
import { generate } from "./generate.ts";
import { list } from "./list.ts";
import { run } from "./run.ts";
import { selftest } from "./selftest.ts";
import { serve } from "./serve.ts";
import { validate } from "./validate.ts";

/** Every command, in the order of the help. */
export const commands: readonly CliCommand[] = [run, validate, list, generate, coverage, serve, selftest];
