import type { HttpReply, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { findsConflicts, isKeyConflict } from "./conflicts.ts";
import { ask, task } from "./messages.ts";
import { cancel, idOf, inShort, isAccepted, post, submit } from "./steps.ts";

/** Lengths to which a hub may cut keys, for example for a digest, a column or an index. */
const cutLengths = [32, 64, 100, 128, 191, 255] as const;

/** Pairs of nearly equal keys, derived from one key, with a description of the difference. */
const nearKeys: readonly {
  at: string;
  createPair(key: string): [firstKey: string, secondKey: string];
  mayBeRefused?: true;
}[] = [
  { at: "only in case", createPair: (key) => [key, key.toUpperCase()] },
  { at: "in a zero at its end", createPair: (key) => [key, `${key}0`] },
  { at: "after its leading digits", createPair: (key) => [`7-${key}`, `7+${key}`] },
  { at: "only in an accent", createPair: (key) => [`${key}-e`, `${key}-\u00e9`], mayBeRefused: true },
  {
    at: "only in the encoding of an accent",
    createPair: (key) => [`${key}-e\u0301`, `${key}-\u00e9`],
    mayBeRefused: true,
  },
  { at: "in white space at its end", createPair: (key) => [key, `${key} `], mayBeRefused: true },
  { at: "in white space before it", createPair: (key) => [key, ` ${key}`], mayBeRefused: true },
  ...cutLengths.map((length) => ({
    at: `only after ${length} characters`,
    createPair: (key: string): [string, string] => [`${key.padEnd(length, "-")}1`, `${key.padEnd(length, "-")}2`],
  })),
];

export const keyScenarios: readonly Scenario[] = [
  {
    name: "idempotency-other-keys",
    says: "nearly equal keys are different keys",
    rules: ["AHCP-ACK-005", "AHCP-IDM-003", "AHCP-ENV-024"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const message = ask(context);
      const submitKeyed = (key: string): Promise<HttpReply> => post(context, { ...message, idempotency_key: key });
      const endMessage = async (reply: HttpReply): Promise<void> => {
        if (isAccepted(reply)) await cancel(context, idOf(reply) ?? "");
      };
      for (const { at, createPair, mayBeRefused } of nearKeys) {
        // A hub may refuse unusual keys. If it accepts one, it must treat it like any other key.
        const trialReply = mayBeRefused ? await submitKeyed(createPair(context.fresh("Key"))[1]) : undefined;
        if (trialReply !== undefined) await endMessage(trialReply);
        const [firstKey, secondKey] = createPair(context.fresh("Key"));
        const firstReply = await submitKeyed(firstKey);
        const id = idOf(firstReply);
        if (!isAccepted(firstReply) || id === undefined || (trialReply !== undefined && !isAccepted(trialReply)))
          continue;
        const reply = await submitKeyed(secondKey);
        const hasFirstId = isAccepted(reply) && idOf(reply) === id;
        const messageText = `a message with a key that differs ${at} from that of another`;
        context.expect("AHCP-ACK-005", !hasFirstId, `${messageText} gets its id, ${id}`);
        const whyConflict = `${messageText} is treated as a conflict: ${inShort(reply)}`;
        context.expect("AHCP-IDM-003", !isKeyConflict(reply), whyConflict);
        const isPermitted = isAccepted(reply) || isKeyConflict(reply) || mayBeRefused === true;
        context.expect("AHCP-ENV-024", isPermitted, `${messageText} is refused: ${inShort(reply)}`);
        await endMessage(firstReply);
        if (!hasFirstId) await endMessage(reply);
      }
    },
  },
  {
    name: "idempotency-types",
    says: "messages of all types share one set of keys",
    rules: ["AHCP-IDM-011"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      if (!(await findsConflicts(context)))
        return context.skip("AHCP-IDM-011", "the hub does not notice conflicts within one type either");
      const message = ask(context);
      await submit(context, message);
      const { agent, idempotency_key: key } = message as { agent: JsonObject; idempotency_key: string };
      const reply = await post(context, { ...task(context), agent, idempotency_key: key });
      context.expect(
        "AHCP-IDM-011",
        isKeyConflict(reply),
        `a task with the key of an ask is not a conflict: ${inShort(reply)}`,
      );
    },
  },
  {
    name: "idempotency-refused",
    says: "a refused message does not use up its key",
    rules: ["AHCP-IDM-012"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const faultCases: [description: string, members: JsonObject][] = [
        [
          "a default that is not an option",
          { request: { ...(ask(context).request as JsonObject), default_on_expire: "green" } },
        ],
        ["a deadline that has passed", { expires_at: "2001-01-01T00:00:00Z" }],
        ["a title that is not a string", { title: 7 }],
        ["a different major version", { ahcp_version: "7.0" }],
      ];
      for (const [description, members] of faultCases) {
        const message = ask(context);
        if (isAccepted(await post(context, { ...message, ...members }))) continue;
        const reply = await post(context, message);
        if (!isAccepted(reply)) await submit(context, ask(context));
        const why = `after ${description} was refused, its key is not free: ${inShort(reply)}`;
        context.expect("AHCP-IDM-012", isAccepted(reply), why);
        if (isAccepted(reply)) await cancel(context, idOf(reply) ?? "");
      }
    },
  },
];
