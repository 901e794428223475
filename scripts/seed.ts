import fc from "fast-check";

// A test that fails does so again. `npm run hostile` draws anew each time, and says the seed of what it found.
if (process.env.TOUCHSTONE_FUZZ_RUNS === undefined)
  fc.configureGlobal({ seed: Number(process.env.TOUCHSTONE_SEED ?? 20) });
