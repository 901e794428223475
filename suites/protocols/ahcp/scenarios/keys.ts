import type { JsonObject, Level, Scenario } from "../../../../schemas/index.ts";
import { conflict, findsConflicts } from "./idempotency.ts";
import { ask, task } from "./messages.ts";
import { cancel, idOf, inShort, isTaken, post, submit } from "./steps.ts";

/** Keys that are nearly the same, and where they differ. Some hubs refuse white space, or what is long. */
function nearKeys(key: string): { at: string; keys: [one: string, other: string]; level?: Level }[] {
  const long = key.padEnd(200, "-");
  return [
    { at: "in case alone", keys: [key, key.toUpperCase()] },
    { at: "in an accent alone", keys: [`${key}-e`, `${key}-\u00e9`] },
    { at: "in a zero at its end", keys: [key, `${key}0`] },
    { at: "in white space at its end", keys: [key, `${key} `], level: "SHOULD" },
    { at: "in white space before it", keys: [key, ` ${key}`], level: "SHOULD" },
    { at: "in the last of 201 characters", keys: [`${long}1`, `${long}2`], level: "SHOULD" },
  ];
}

export const keys: readonly Scenario[] = [
  {
    name: "idempotency-other-keys",
    says: "keys that are nearly the same are different keys",
    rules: ["AHCP-ACK-005", "AHCP-ENV-024"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const message = ask(context);
      for (const { at, keys, level } of nearKeys(context.fresh("Key"))) {
        const [first, other] = [await post(context, { ...message, idempotency_key: keys[0] }), keys[1]];
        const id = idOf(first);
        // Odd keys may be refused for what they are.
        if (!isTaken(first) || id === undefined) continue;
        const reply = await post(context, { ...message, idempotency_key: other });
        const isFirst = isTaken(reply) && idOf(reply) === id;
        const same = `a message whose key differs ${at} from that of another gets its id, ${id}`;
        context.expect("AHCP-ACK-005", !isFirst, same);
        const why = `a message whose key differs ${at} from that of another is taken for a conflict: ${inShort(reply)}`;
        context.expect("AHCP-ENV-024", !conflict(reply), why, level);
        if (isTaken(reply) && !isFirst) await cancel(context, idOf(reply) ?? "");
      }
    },
  },
  {
    name: "idempotency-types",
    says: "a key is used up for all types of messages",
    rules: ["AHCP-IDM-011"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      if (!(await findsConflicts(context)))
        return context.skip("AHCP-IDM-011", "no conflict is found within one type either");
      const message = ask(context);
      await submit(context, message);
      const { agent, idempotency_key: key } = message as { agent: JsonObject; idempotency_key: string };
      const reply = await post(context, { ...task(context), agent, idempotency_key: key });
      context.expect(
        "AHCP-IDM-011",
        conflict(reply),
        `a task under the key of an ask is no conflict: ${inShort(reply)}`,
      );
    },
  },
  {
    name: "idempotency-refused",
    says: "a message that was refused leaves its key free",
    rules: ["AHCP-IDM-012"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const faults: [what: string, members: JsonObject][] = [
        [
          "a default that is no option",
          { request: { ...(ask(context).request as JsonObject), default_on_expire: "green" } },
        ],
        ["a deadline that has passed", { expires_at: "2001-01-01T00:00:00Z" }],
        ["a title that is no text", { title: 7 }],
        ["another major version", { ahcp_version: "7.0" }],
      ];
      for (const [what, members] of faults) {
        const message = ask(context);
        if (isTaken(await post(context, { ...message, ...members }))) continue;
        const reply = await post(context, message);
        const why = `after ${what} was refused, its key is not free: ${inShort(reply)}`;
        context.expect("AHCP-IDM-012", isTaken(reply), why);
        if (isTaken(reply)) await cancel(context, idOf(reply) ?? "");
      }
    },
  },
];
