import { createInterface } from "node:readline";
import { isObject, type Json } from "../../../../schemas/index.ts";
import { startParty } from "./parties.ts";

/** A party as a command: a line { id, hook, given } on stdin is answered by a line { id, answer }. The arguments are its side, a variant (or -) and choices. */
const [side = "agent", given, ...choices] = process.argv.slice(2);
const variant = given === undefined || given === "-" ? {} : { variant: given };
const party = startParty(side, { ...variant, choices });
if (party === undefined) throw new Error(`there is no variant ${given} of the ${side}`);
createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id = null, hook, given } = JSON.parse(line) as Record<string, Json>;
  const asked = party.hooks[String(hook)];
  const isThere = asked !== undefined && isObject(given);
  const answer = isThere ? await asked(given) : { skipped: `there is no hook ${hook}` };
  process.stdout.write(`${JSON.stringify({ id, answer })}\n`);
});
