import fc from "fast-check";

// A test that fails does so again. `npm run hostile` draws other texts each time, and prints the seed of a finding.
if (process.env.TOUCHSTONE_FUZZ_RUNS === undefined)
  fc.configureGlobal({ seed: Number(process.env.TOUCHSTONE_SEED ?? 20) });
