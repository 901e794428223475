import fc from "fast-check";

// A fixed seed, so that a failing test fails again. `npm run hostile` draws different strings each time, and prints the seed of a failure.
if (process.env.TOUCHSTONE_FUZZ_RUNS === undefined)
  fc.configureGlobal({ seed: Number(process.env.TOUCHSTONE_SEED ?? 20) });
