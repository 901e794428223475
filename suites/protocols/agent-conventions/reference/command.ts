import { createInterface } from "node:readline";
import { isObject, type Json } from "../../../../schemas/index.ts";
import { startParty } from "./parties.ts";

// Runs a party as a command: for each line { id, hook, given } on stdin it writes a line { id, answer } to stdout.
// The arguments are its side, a variant (or -), and choices.
const [side = "agent", variantName, ...choices] = process.argv.slice(2);
const variant = variantName === undefined || variantName === "-" ? {} : { variant: variantName };
const party = startParty(side, { ...variant, choices });
if (party === undefined) throw new Error(`there is no variant ${variantName} of the ${side}`);
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id = null, hook, given: input } = JSON.parse(line) as Record<string, Json>;
  const runHook = party.hooks[String(hook)];
  const canAnswer = runHook !== undefined && isObject(input);
  const answer = canAnswer ? await runHook(input) : { skipped: `there is no hook ${hook}` };
  process.stdout.write(`${JSON.stringify({ id, answer })}\n`);
});
