import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";
import { verifiesPush } from "./callback-signature.ts";
import { awaitFirstPush } from "./due-messages.ts";
import { describeChange, findFirstMissing } from "./lost-messages.ts";
import { ask } from "./messages.ts";
import { bodyOf, pushNeeds, pushRequestMembers, signatureOf, submitPush, verificationKeyFor } from "./pushes.ts";
import { readStored, resolveMessage } from "./steps.ts";

/** Spellings of a callback's URL that lead to the same place. */
const spellings: [description: string, spell: (url: string) => string][] = [
  ["with its scheme in upper case", (url) => url.replace(/^https?/, (scheme) => scheme.toUpperCase())],
  ["with an empty fragment", (url) => `${url}#`],
  ["with a fragment", (url) => `${url}#part`],
];

export const callbackSpelling: readonly Scenario[] = [
  {
    name: "signatures-spelling",
    says: "a callback's URL is shown and signed as submitted, and its fragment is not sent",
    rules: ["AHCP-GET-003", "AHCP-SIG-007", "AHCP-DLV-001"],
    needs: [...pushNeeds, "resolve", "key"],
    withinMs: 400_000,
    async play(context) {
      for (const [description, spell] of spellings) {
        const callback = await context.callback([200], "/outcome?of=1");
        const url = spell(callback.url);
        const rulesToSkip = new Set(["AHCP-GET-003", "AHCP-SIG-007", "AHCP-DLV-001"]);
        try {
          const message = ask(context, {}, await pushRequestMembers(context, url));
          const { id } = await submitPush(context, message);
          const stored = await readStored(context, id);
          const changedPath = findFirstMissing(stored.request, message.request ?? null, "/request");
          const whyChanged = `${changedPath} of an ask with the callback ${url} is not read as submitted: ${describeChange(changedPath, stored, message)}`;
          context.expect("AHCP-GET-003", changedPath === undefined, whyChanged);
          rulesToSkip.delete("AHCP-GET-003");
          await resolveMessage(context, id);
          const push = await awaitFirstPush(context, callback);
          const isFragmentSent = push.target.includes("#");
          context.expect(
            "AHCP-DLV-001",
            !isFragmentSent,
            `a push to a URL ${description}, ${url}, is sent to ${push.target}`,
          );
          const [body, signature, key] = [bodyOf(push), signatureOf(push), await verificationKeyFor(context, { url })];
          // If neither URL verifies, the signature has a different fault, which other scenarios report.
          const signs = (text: string): boolean => signature !== undefined && verifiesPush(body, text, signature, key);
          if (!signs(url) && !signs(callback.url)) throw new TargetSkip("the signature does not verify");
          context.expect("AHCP-SIG-007", signs(url), `a URL ${description}, ${url}, is signed as ${callback.url}`);
        } catch (error) {
          if (!(error instanceof TargetSkip)) throw error;
          for (const rule of rulesToSkip) context.skip(rule, error.message);
        }
      }
    },
  },
];
