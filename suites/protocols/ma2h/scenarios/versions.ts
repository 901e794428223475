import type { Scenario } from "../../../../schemas/index.ts";
import { judgeDue, submitDue } from "../../ahcp/scenarios/due-messages.ts";
import { ask } from "../../ahcp/scenarios/messages.ts";
import { pushNeeds, pushTo } from "../../ahcp/scenarios/pushes.ts";
import { inShort, isTaken, post, resolveMessage } from "../../ahcp/scenarios/steps.ts";

const parity: Scenario = {
  name: "versions-of-pushes",
  says: "messages of each version since 0.3 may ask for a push, and get it",
  rules: ["MA2H-VER-009"],
  needs: [...pushNeeds, "resolve"],
  withinMs: 500_000,
  async play(context) {
    for (const version of ["0.3", "0.4", "0.5"]) {
      const callback = await context.callback([200]);
      const asked = ask(context, { ahcp_version: version }, await pushTo(context, callback.url));
      const reply = await post(context, asked);
      const isPlain = isTaken(await post(context, ask(context, { ahcp_version: version })));
      // A hub may refuse the callback whatever the version.
      if (!isTaken(reply) && version === "0.3" && !(await takesLater(context, callback.url)))
        return context.skip("MA2H-VER-009", "the hub does not accept a callback to the suite");
      const why = `with version ${version} a push is refused: ${inShort(reply)}`;
      context.expect("MA2H-VER-009", isTaken(reply) || !isPlain, why, reply);
      if (!isTaken(reply)) continue;
      await resolveMessage(context, String((reply.json as { id?: unknown }).id));
      const due = await submitDue(context, callback);
      judgeDue(context, "MA2H-VER-009", due, `with version ${version} the outcome is not pushed`);
    }
  },
};

async function takesLater(context: Parameters<Scenario["play"]>[0], url: string): Promise<boolean> {
  return isTaken(await post(context, ask(context, { ahcp_version: "0.5" }, await pushTo(context, url))));
}

/** Scenarios that are about versions, and so choose them. */
export const versions: readonly Scenario[] = [parity];
