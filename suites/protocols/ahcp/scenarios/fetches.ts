import type { Callback, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { urlAtHost } from "./callback-hosts.ts";
import { morePushesArrive } from "./due-messages.ts";
import { ask } from "./messages.ts";
import { timeExchange } from "./published.ts";
import { submit } from "./steps.ts";

/** A page fetches its resources within this time after it is shown, in milliseconds. */
const fetchDelayMs = 1000;
/** If the hub is slow, wait as long as this many exchanges take. */
const exchangesBeforeFetch = 40;

/** Whether anything is fetched from this callback. A hub may queue its fetches, so this waits as long as for pushes. */
async function isFetchedFrom(context: ScenarioContext, canary: Callback): Promise<boolean> {
  const waitMs = Math.max(fetchDelayMs, exchangesBeforeFetch * (await timeExchange(context)));
  return (await context.come(canary, 1, waitMs)) || morePushesArrive(context, canary, 0, 4 * fetchDelayMs);
}

export const fetches: readonly Scenario[] = [
  {
    name: "destinations-files",
    says: "the file of a part is not fetched",
    waits: 10_000,
    rules: ["AHCP-PRT-007"],
    needs: ["receiver", "production", "view"],
    withinMs: 60_000,
    async play(context) {
      const canary = await context.callback([200]);
      const part = {
        kind: "file",
        file: { uri: urlAtHost("127.0.0.1", canary), name: "a.txt", mime_type: "text/plain" },
      };
      const { id } = await submit(context, ask(context, { context: [part] }));
      await context.hook("view", { id });
      const isFetched = await isFetchedFrom(context, canary);
      context.expect("AHCP-PRT-007", !isFetched, "the file of a message is fetched from a private address");
    },
  },
  {
    name: "destinations-links",
    says: "no reference in a body is fetched",
    waits: 10_000,
    rules: ["AHCP-SAF-002"],
    needs: ["receiver", "view"],
    withinMs: 60_000,
    async play(context) {
      const canary = await context.callback([200]);
      const { url } = canary;
      const body = `See [this](${url}/link) and ![that](${url}/image).\n\n<img src="${url}/tag">\n\n<${url}/auto>`;
      const message: JsonObject = ask(context, { body });
      const { id } = await submit(context, message);
      await context.hook("view", { id });
      const isFetched = await isFetchedFrom(context, canary);
      const [{ target } = { target: "" }] = canary.arrivals;
      context.expect("AHCP-SAF-002", !isFetched, `a reference in a body is fetched: ${target}`);
    },
  },
];
