import { type Arrival, missingNeeds, type Scenario } from "../../../../schemas/index.ts";
import { awaitFirstPush } from "./due-messages.ts";
import { askWithPush, bindHost, movesPauses, pushNeeds, waitForPushes } from "./pushes.ts";
import { resolveMessage } from "./steps.ts";
import { tokenOf } from "./tokens.ts";

const hourMs = 3_600_000;

export const deliveryToken: readonly Scenario[] = [
  {
    name: "delivery-token",
    says: "a token accompanies the push, if the callback has one",
    rules: ["AHCP-DLV-011"],
    needs: [...pushNeeds, "resolve", "bind"],
    withinMs: 400_000,
    async play(context) {
      for (const scheme of ["bearer", "apikey"] as const) {
        const callback = await context.callback([503, 200]);
        if (!(await bindHost(context, callback.url)))
          return context.skip("AHCP-DLV-011", "the hub does not treat the callback's host as the agent's");
        const { id } = await askWithPush(context, callback, {}, scheme);
        await resolveMessage(context, id);
        const { header, isThere: isPresent } = await tokenOf(context, scheme, await awaitFirstPush(context, callback));
        context.expect(
          "AHCP-DLV-011",
          isPresent,
          `with the scheme ${scheme} no token is sent in ${header}`,
          callback.arrivals[0],
        );
        if (!isPresent) continue;
        if (!(await movesPauses(context)) || !(await waitForPushes(context, callback, 2, hourMs))) {
          context.skip(
            "AHCP-DLV-011",
            "nothing shows whether a later attempt has the token too",
            missingNeeds("clock"),
          );
          continue;
        }
        const { isThere: isPresentAgain } = await tokenOf(context, scheme, callback.arrivals[1] as Arrival);
        const whyLost = `with the scheme ${scheme} no token is sent in ${header} when it is tried again`;
        context.expect("AHCP-DLV-011", isPresentAgain, whyLost, callback.arrivals[1]);
      }
    },
  },
];
