import type { Bench } from "./bench.ts";
import { conditionals } from "./conditionals.ts";
import { flakes } from "./flakes.ts";
import { generate } from "./generate.ts";
import { memory } from "./memory.ts";
import { model } from "./model.ts";
import { patterns } from "./patterns.ts";
import { run } from "./run.ts";
import { witness } from "./witness.ts";

/** All benchmarks, in the order in which they are listed. */
export const benches: readonly Bench[] = [
  {
    name: "generate",
    title: "instances per second compared with json-schema-faker, faulty instances, all vectors regenerated [--quick]",
    run: generate,
  },
  { name: "model", title: "model and solver on the official JSON Schema tests DIR", run: model },
  {
    name: "witness",
    title: "valid instances of real schemas, or proofs that none exist, DIR|FILE… [--each]",
    run: witness,
  },
  {
    name: "conditionals",
    title: "a growing number of conditionals over a few members [MEMBERS [MOST]]",
    run: conditionals,
  },
  { name: "patterns", title: "a hundred everyday patterns: decided questions, near misses, time", run: patterns },
  {
    name: "run",
    title: "the whole set in process, over stdio and over HTTP compared with bare loops; startup time [--quick] [WAY…]",
    run,
  },
  { name: "memory", title: "peak memory and time of each command on the largest protocol", run: memory },
  {
    name: "flakes",
    title: "all scenarios against the references, each seed twice; results that differ [SEEDS [ROUNDS]] [PROTOCOL…]",
    run: flakes,
  },
];
