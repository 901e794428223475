import { createInterface } from "node:readline";
import { isObject, type Json } from "../../../../schemas/index.ts";
import { startParty } from "./parties.ts";

/** A party as a command: a line { id, hook, given } on stdin is answered by a line { id, answer }. The arguments are its side, a variant (or -) and choices. */
const [side = "agent", variantName, ...choices] = process.argv.slice(2);
const variant = variantName === undefined || variantName === "-" ? {} : { variant: variantName };
const party = startParty(side, { ...variant, choices });
if (party === undefined) throw new Error(`there is no variant ${variantName} of the ${side}`);
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id = null, hook, given: variantName } = JSON.parse(line) as Record<string, Json>;
  const asked = party.hooks[String(hook)];
  const canAnswer = asked !== undefined && isObject(variantName);
  const answer = canAnswer ? await asked(variantName) : { skipped: `there is no hook ${hook}` };
  process.stdout.write(`${JSON.stringify({ id, answer })}\n`);
});
