import { equal, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { ahead, deadlineIn, reach, withOffset } from "./deadline.ts";
import { ask, input } from "./messages.ts";
import { afterDeadline, idOf, isTaken, outcomeOf, post, red, resolve, statusOf, submit } from "./steps.ts";

const day = 86_400_000;

/** A form that need not be filled in. */
const free: JsonObject = { ...input, schema: { type: "object", properties: { note: { type: "string" } } } };

export const deadlines: readonly Scenario[] = [
  {
    name: "expiry-far",
    says: "an answer counts long before a deadline that is far ahead",
    rules: ["AHCP-EXP-003"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      // Timers of 31 bits end after 24 days, those of 32 after 49.
      for (const days of [26, 60, 4000]) {
        const { members } = await deadlineIn(context, days * day);
        const reply = await post(context, ask(context, members, { default_on_expire: "blue" }));
        const id = idOf(reply);
        if (!isTaken(reply) || id === undefined) continue;
        await context.pass(1000);
        const { applied } = await resolve(context, id, red);
        const status = await statusOf(context, id);
        const why = `an answer ${days} days before the deadline does not count: the ask is "${status}"`;
        context.expect("AHCP-EXP-003", applied && status === "answered", why);
      }
    },
  },
  {
    name: "expiry-offset-passed",
    says: "a deadline passes, whatever its offset",
    rules: ["AHCP-EXP-002"],
    needs: [],
    withinMs: 60_000,
    waits: 16_000,
    async play(context) {
      const deadline = await deadlineIn(context, ahead(context));
      const plain = await submit(context, ask(context, deadline.members));
      const others: [text: string, id: string][] = [];
      const spelt = [...[0, 5, -7].map((hours) => withOffset(deadline.time, hours)), deadline.text.toLowerCase()];
      for (const text of spelt) {
        const reply = await post(context, ask(context, { ...deadline.members, expires_at: text }));
        const id = idOf(reply);
        // That it is refused is another scenario's matter.
        if (isTaken(reply) && id !== undefined) others.push([text, id]);
      }
      await reach(context, deadline, 1000);
      const { status } = await afterDeadline(context, plain.id);
      if (status !== "expired")
        return context.skip("AHCP-EXP-002", `after a deadline without an offset the ask is "${status}"`);
      for (const [text, id] of others) {
        const { status: shown } = await afterDeadline(context, id);
        context.expect("AHCP-EXP-002", shown === "expired", `11 s after its deadline ${text} the ask is "${shown}"`);
      }
    },
  },
  {
    name: "expiry-empty-default",
    says: "a default applies that is an empty object",
    rules: ["AHCP-EXP-005"],
    needs: [],
    withinMs: 60_000,
    waits: 16_000,
    async play(context) {
      const deadline = await deadlineIn(context, ahead(context));
      const reply = await post(context, ask(context, deadline.members, { ...free, default_on_expire: {} }));
      const id = idOf(reply);
      if (!isTaken(reply) || id === undefined)
        return context.skip("AHCP-EXP-005", "the hub takes no form of which nothing is required");
      await reach(context, deadline, 1000);
      const message = await afterDeadline(context, id);
      if (message.status !== "expired") return context.skip("AHCP-EXP-005", `the ask is "${message.status}"`);
      const { envelope, inner } = outcomeOf(message);
      const isTold = envelope.defaulted === true && inner.value !== undefined && equal(inner.value, {});
      const why = `the Response does not say that the default {} was applied: ${JSON.stringify(envelope)}`;
      context.expect("AHCP-EXP-005", isTold, why);
    },
  },
];
