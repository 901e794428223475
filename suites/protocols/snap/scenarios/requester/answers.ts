import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { networkOf } from "../../rules/address.ts";
import { keyB, keyC } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import { numbers, trickyParts } from "../agent/contents.ts";
import { drawFor } from "../draw.ts";
import { breakSeal } from "../parties.ts";
import { isAnswerAccepted, reportsRefusal } from "./asking.ts";
import { answerTo, doneTask, type SeenRequest } from "./stub.ts";

const side = "requester";

async function validAnswer(context: ScenarioContext, seenRequest: SeenRequest): Promise<JsonObject> {
  return answerTo(context, seenRequest, { payload: await doneTask(context) });
}

/** Answers whose only fault is the signature. */
const forgeries: [
  description: string,
  make: (context: ScenarioContext, seenRequest: SeenRequest) => Promise<JsonObject>,
][] = [
  ["with a signature of zeros", async (context, seenRequest) => breakSeal(await validAnswer(context, seenRequest))],
  [
    "with the signature of another key",
    async (context, seenRequest) => signedBy(keyC, await validAnswer(context, seenRequest)),
  ],
  [
    "that was changed after it was signed",
    async (context, seenRequest) => ({
      ...(await validAnswer(context, seenRequest)),
      payload: await doneTask(context, "failed"),
    }),
  ],
  [
    "with the signature of another answer",
    async (context, seenRequest) => ({
      ...(await validAnswer(context, seenRequest)),
      sig: (await validAnswer(context, seenRequest)).sig as string,
    }),
  ],
];

export const acceptanceScenarios: readonly Scenario[] = [
  {
    name: "taking-forged",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "an answer with a wrong signature is not accepted",
    rules: ["SNAP-SIG-010"],
    async play(context) {
      for (const [description, make] of forgeries) {
        const { isAccepted, summary } = await isAnswerAccepted(context, (seenRequest) => make(context, seenRequest));
        context.expect("SNAP-SIG-010", !isAccepted, `an answer ${description} is accepted: ${summary}`);
      }
      const refusal = await reportsRefusal(context, async (seenRequest, payload) =>
        breakSeal(await answerTo(context, seenRequest, { payload })),
      );
      if (refusal !== undefined)
        context.expect("SNAP-SIG-010", !refusal.isReported, `a forged refusal is accepted: ${refusal.summary}`);
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
      const drawnNumbers = drawFor(context).some(numbers, 12).map(Number);
      for (const part of [...trickyParts, { data: { numbers: [1e-7, 1e21, ...drawnNumbers] } }]) {
        const { isAccepted, summary } = await isAnswerAccepted(context, async (seenRequest) => {
          const { task } = (await doneTask(context)) as { task: JsonObject };
          const artifacts = [{ artifactId: "answer", parts: [part] }];
          return answerTo(context, seenRequest, { payload: { task: { ...task, artifacts } } });
        });
        context.expect("SNAP-SIG-002", isAccepted, `an answer with a valid signature is not accepted: ${summary}`);
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
      const { isAccepted, summary } = await isAnswerAccepted(context, async (seenRequest) => {
        const { sig: _, ...message } = await validAnswer(context, seenRequest);
        return message;
      });
      context.expect("SNAP-SIG-011", isAccepted, `an answer without a signature is not accepted: ${summary}`);
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
        const { isAccepted, summary } = await isAnswerAccepted(context, async (seenRequest) => {
          const message = await validAnswer(context, seenRequest);
          return signedBy(keyB, { ...message, timestamp: Number(message.timestamp) + offset });
        });
        const offsetText = `${Math.abs(offset)} seconds ${offset < 0 ? "in the past" : "in the future"}`;
        context.expect(
          "SNAP-TIME-004",
          !isAccepted,
          `an answer with a timestamp ${offsetText} is accepted: ${summary}`,
        );
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
      const { isAccepted, summary } = await isAnswerAccepted(context, async (seenRequest) =>
        answerTo(context, seenRequest, { payload: await doneTask(context), more: {}, by: keyC }),
      );
      context.expect(
        "SNAP-RCPT-006",
        !isAccepted,
        `an answer that another agent has signed as itself is accepted: ${summary}`,
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
      const { isAccepted, summary } = await isAnswerAccepted(context, async (seenRequest) => {
        const to = keyC.address[networkOf(String(seenRequest.message?.from))];
        return answerTo(context, seenRequest, { payload: await doneTask(context), more: { to } });
      });
      context.expect(
        "SNAP-RCPT-007",
        !isAccepted,
        `an answer that is addressed to another requester is accepted: ${summary}`,
      );
    },
  },
];
