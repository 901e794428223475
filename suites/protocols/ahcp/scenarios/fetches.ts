import type { JsonObject, Scenario } from "../../../../schemas/index.ts";
import { at } from "./callback-hosts.ts";
import { ask } from "./messages.ts";
import { submit } from "./steps.ts";

const second = 1000;

export const fetches: readonly Scenario[] = [
  {
    name: "destinations-files",
    says: "the file of a part is left alone",
    rules: ["AHCP-PRT-007"],
    needs: ["receiver", "production", "view"],
    withinMs: 60_000,
    async play(context) {
      const canary = await context.callback([200]);
      const part = { kind: "file", file: { uri: at("127.0.0.1", canary), name: "a.txt", mime_type: "text/plain" } };
      const { id } = await submit(context, ask(context, { context: [part] }));
      await context.hook("view", { id });
      const isFetched = await context.come(canary, 1, second);
      context.expect("AHCP-PRT-007", !isFetched, "the file of a message is fetched from a private address");
    },
  },
  {
    name: "destinations-links",
    says: "nothing is fetched that a body refers to",
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
      const isFetched = await context.come(canary, 1, second);
      const [{ target } = { target: "" }] = canary.arrivals;
      context.expect("AHCP-SAF-002", !isFetched, `a reference in a body is fetched: ${target}`);
    },
  },
];
