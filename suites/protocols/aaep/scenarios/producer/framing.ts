import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { openLine } from "../subscribing/open.ts";
import { askedOf } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { awaitEnd, beginSession, follow, isEnd, nameOf, waitForDueOn } from "./story.ts";

/** The bytes of an event that is nearly as large as a transport must carry. */
const nearly64KiB = 56 * 1024;

/** The size of messages, and one message in each frame. */
export const framing: readonly Scenario[] = [
  toProducer({
    name: "large-messages",
    says: "messages of 64 KiB arrive in both directions",
    rules: ["AAEP-TRN-010"],
    async play(context) {
      const line = await openLine(context);
      const asked = await askedOf(line, context, "irreversible");
      const reply: JsonObject = {
        type: "confirmation.reply",
        reply_token: asked.token,
        decision: "reject",
        subscription_id: line.id,
        timestamp: new Date(await context.now()).toISOString(),
        correlation_id: "",
      };
      const text = JSON.stringify({ ...reply, correlation_id: "c".repeat(64 * 1024 - JSON.stringify(reply).length) });
      const said = await line.send(text);
      const isTaken = (await awaitEnd(asked)) !== undefined;
      if (!isTaken && !(await rejectOpen(asked)))
        throw new TargetSkip("rejections have no effect, so nothing shows whether a large one is accepted");
      const how = said === undefined ? "" : `: HTTP ${said.status}`;
      context.expect("AAEP-TRN-010", isTaken, `a reply of 65536 bytes had no effect${how}`);
      const story = await beginSession(line, context, "large").catch(() => undefined);
      if (story === undefined) return;
      const isOutput = (event: JsonObject): boolean => nameOf(event) === "output.streaming";
      const isLarge = (event: JsonObject): boolean => Buffer.byteLength(JSON.stringify(event)) >= nearly64KiB;
      const isWanted = (event: JsonObject): boolean => (isOutput(event) && isLarge(event)) || isEnd(event);
      const large = await waitForDueOn(line, context, (milliseconds) => follow(story, isWanted, 0, milliseconds));
      if (large === undefined || isOutput(large))
        return context.expect("AAEP-TRN-010", large !== undefined, "an event of nearly 64 KiB did not come");
      const why = `the task "large" wrote no piece of ${nearly64KiB} bytes, so that nothing shows whether one arrives`;
      context.skip("AAEP-TRN-010", why);
    },
  }),
  toProducer({
    name: "frames",
    says: "each frame of the transport contains one message",
    rules: ["AAEP-TRN-002"],
    async play(context) {
      const line = await openLine(context);
      let isWhole = true;
      for (const task of ["plain", "stream", "large"] as const)
        try {
          const end = await awaitEnd(await beginSession(line, context, task));
          isWhole &&= end !== undefined;
        } catch (error) {
          if (task !== "large") throw error;
          // A producer need not have a large task.
          isWhole &&= error instanceof TargetSkip;
        }
      const [fault] = line.inbox.faults;
      if (fault === undefined && !isWhole)
        return context.skip("AAEP-TRN-002", "a session has not ended in time, so its frames were not all seen");
      context.expect("AAEP-TRN-002", fault === undefined, `a frame does not contain one message: ${fault}`);
    },
  }),
];
