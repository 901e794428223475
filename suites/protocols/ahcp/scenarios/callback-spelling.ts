import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";
import { isSigned } from "./callback-signature.ts";
import { ask } from "./messages.ts";
import { bodyOf, firstPush, keyFor, pushNeeds, pushTo, signatureOf, submitPush } from "./pushes.ts";
import { resolved } from "./steps.ts";

/** Other ways to write the URL of a callback, that lead to the same place. */
const spellings: [what: string, spell: (url: string) => string][] = [
  ["with its scheme in capital letters", (url) => url.replace(/^https?/, (scheme) => scheme.toUpperCase())],
  ["with an empty fragment", (url) => `${url}#`],
  ["with a fragment", (url) => `${url}#part`],
];

export const callbackSpelling: readonly Scenario[] = [
  {
    name: "signatures-spelling",
    says: "the URL of a callback is signed as it was submitted, and its fragment is not sent",
    rules: ["AHCP-SIG-007", "AHCP-DLV-001"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 120_000,
    async play(context) {
      for (const [what, spell] of spellings) {
        const callback = await context.callback([200], "/outcome");
        const url = spell(callback.url);
        try {
          const { id } = await submitPush(context, ask(context, {}, await pushTo(context, url)));
          await resolved(context, id);
          const first = await firstPush(context, callback);
          const isSent = first.target.includes("#");
          context.expect("AHCP-DLV-001", !isSent, `what goes to a URL ${what}, ${url}, is sent to ${first.target}`);
          const [body, signature, key] = [bodyOf(first), signatureOf(first), await keyFor(context, { url })];
          // What signs neither is wrong in another way, which the plainest push shows.
          const signs = (text: string): boolean => signature !== undefined && isSigned(body, text, signature, key);
          if (!signs(url) && !signs(callback.url)) throw new TargetSkip("the signature does not verify at all");
          context.expect("AHCP-SIG-007", signs(url), `a URL ${what}, ${url}, is signed as ${callback.url}`);
        } catch (error) {
          if (!(error instanceof TargetSkip)) throw error;
          for (const rule of ["AHCP-SIG-007", "AHCP-DLV-001"]) context.skip(rule, error.message);
        }
      }
    },
  },
];
