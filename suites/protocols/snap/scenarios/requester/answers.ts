import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { networkOf } from "../../rules/address.ts";
import { keyB, keyC } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import { numbers, tellingParts } from "../agent/contents.ts";
import { drawFor } from "../draw.ts";
import { breakSeal } from "../parties.ts";
import { believesRefusal, mustAccept } from "./asking.ts";
import { answerTo, doneTask, type SeenRequest } from "./stub.ts";

const side = "requester";

async function answer(context: ScenarioContext, seen: SeenRequest): Promise<JsonObject> {
  return answerTo(context, seen, { payload: await doneTask(context) });
}

/** Answers that are right except for their signature. */
const forgeries: [what: string, make: (context: ScenarioContext, seen: SeenRequest) => Promise<JsonObject>][] = [
  ["with a signature of zeros", async (context, seen) => breakSeal(await answer(context, seen))],
  ["with the signature of another key", async (context, seen) => signedBy(keyC, await answer(context, seen))],
  [
    "that was changed after it was signed",
    async (context, seen) => ({ ...(await answer(context, seen)), payload: await doneTask(context, "failed") }),
  ],
  [
    "with the signature of another answer",
    async (context, seen) => ({ ...(await answer(context, seen)), sig: (await answer(context, seen)).sig as string }),
  ],
];

export const takingScenarios: readonly Scenario[] = [
  {
    name: "taking-forged",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer with a wrong signature is not accepted",
    rules: ["SNAP-SIG-010"],
    async play(context) {
      for (const [what, make] of forgeries) {
        const { isTaken, brief } = await mustAccept(context, (seen) => make(context, seen));
        context.expect("SNAP-SIG-010", !isTaken, `an answer ${what} is accepted: ${brief}`);
      }
      const refusal = await believesRefusal(context, async (seen, payload) =>
        breakSeal(await answerTo(context, seen, { payload })),
      );
      if (refusal !== undefined)
        context.expect("SNAP-SIG-010", !refusal.isTold, `a forged refusal is accepted: ${refusal.brief}`);
    },
  },
  {
    name: "taking-contents",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer is accepted in every spelling of JSON",
    rules: ["SNAP-SIG-002"],
    async play(context) {
      const drawn = drawFor(context).some(numbers, 12).map(Number);
      for (const part of [...tellingParts, { data: { numbers: [1e-7, 1e21, ...drawn] } }]) {
        const { isTaken, brief } = await mustAccept(context, async (seen) => {
          const { task } = (await doneTask(context)) as { task: JsonObject };
          const artifacts = [{ artifactId: "answer", parts: [part] }];
          return answerTo(context, seen, { payload: { task: { ...task, artifacts } } });
        });
        context.expect("SNAP-SIG-002", isTaken, `an answer with a right signature is not accepted: ${brief}`);
      }
    },
  },
  {
    name: "taking-unsigned",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer without a signature is accepted, unless a policy requires one",
    rules: ["SNAP-SIG-011"],
    async play(context) {
      const { isTaken, brief } = await mustAccept(context, async (seen) => {
        const { sig: _, ...message } = await answer(context, seen);
        return message;
      });
      context.expect("SNAP-SIG-011", isTaken, `an answer without a signature is not accepted: ${brief}`);
    },
  },
  {
    name: "taking-stale",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer that was signed minutes ago is not accepted",
    rules: ["SNAP-TIME-004"],
    async play(context) {
      for (const offset of [-180, 180]) {
        const { isTaken, brief } = await mustAccept(context, async (seen) => {
          const message = await answer(context, seen);
          return signedBy(keyB, { ...message, timestamp: Number(message.timestamp) + offset });
        });
        const when = `${Math.abs(offset)} seconds ${offset < 0 ? "ago" : "ahead"}`;
        context.expect("SNAP-TIME-004", !isTaken, `an answer that is stamped ${when} is accepted: ${brief}`);
      }
    },
  },
  {
    name: "taking-stranger",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer from another agent is not accepted",
    rules: ["SNAP-RCPT-006"],
    async play(context) {
      const { isTaken, brief } = await mustAccept(context, async (seen) =>
        answerTo(context, seen, { payload: await doneTask(context), more: {}, by: keyC }),
      );
      context.expect(
        "SNAP-RCPT-006",
        !isTaken,
        `an answer that another agent has signed as itself is accepted: ${brief}`,
      );
    },
  },
  {
    name: "taking-misdirected",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer to another requester is not accepted",
    rules: ["SNAP-RCPT-007"],
    async play(context) {
      const { isTaken, brief } = await mustAccept(context, async (seen) => {
        const to = keyC.address[networkOf(String(seen.message?.from))];
        return answerTo(context, seen, { payload: await doneTask(context), more: { to } });
      });
      context.expect(
        "SNAP-RCPT-007",
        !isTaken,
        `an answer that is addressed to another requester is accepted: ${brief}`,
      );
    },
  },
];
