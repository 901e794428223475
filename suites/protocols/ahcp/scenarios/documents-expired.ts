import { isObject, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { type HubDocument, judgeDocuments, readRules } from "./documents.ts";
import { ask, input, task } from "./messages.ts";
import { afterDeadline, submit } from "./steps.ts";

export const documentsExpired: readonly Scenario[] = [
  {
    name: "documents-expired",
    says: "an expired message satisfies every rule",
    rules: readRules,
    needs: [],
    withinMs: 60_000,
    waits: 7000,
    async play(context) {
      const deadline = await deadlineIn(context, leadTime(context));
      const { members } = deadline;
      const expiringMessages: [id: string, message: JsonObject][] = [];
      for (const message of [
        ask(context, members),
        ask(context, members, { default_on_expire: "blue" }),
        ask(context, members, { ...input, default_on_expire: { note: "none" } }),
        task(context, members),
      ])
        expiringMessages.push([(await submit(context, message)).id, message]);
      await waitUntilDeadline(context, deadline, 1000);
      for (const [id, message] of expiringMessages) {
        const stored = await afterDeadline(context, id);
        // Other rules test whether it expires.
        if (stored.status !== "expired") continue;
        const { response } = stored;
        const outcomeDocuments: HubDocument[] = isObject(response) ? [["outcome", { id, message, response }]] : [];
        await judgeDocuments(context, [...outcomeDocuments, ["get-message", stored]], readRules);
      }
    },
  },
];
