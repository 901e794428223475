import { expect, it } from "vitest";
import { type PublishedLimits, TargetSkip } from "../../../schemas/index.ts";
import { roomOf } from "./room.ts";

const open = { published: "/depth", equal: { "/status": "open" }, id: "/id" };
const limits: PublishedLimits = { path: "/limits", bounds: [], open };
const taken = (id: string, status = "open") => ({ status: 202, headers: {}, body: JSON.stringify({ id, status }) });
const putOff = { status: 429, headers: { "retry-after": "0" }, body: "" };

it("is used up by what the run left open, and only who has waited in vain says so", async () => {
  const room = roomOf(limits, async () => ({ depth: 2 }));
  for (const answer of [taken("1"), taken("1"), taken("2", "delivered")]) await room?.mayWait(answer, 0);
  await expect(room?.mayWait(putOff, 1)).resolves.toBeUndefined();
  await room?.mayWait(taken("3"), 0);
  await expect(room?.mayWait(putOff, 0)).resolves.toBeUndefined();
  await expect(room?.mayWait(putOff, 1)).rejects.toThrow(
    new TargetSkip("the messages sent before take up the server's published depth, 2: raise it for the test"),
  );
  await expect(room?.mayWait(putOff, 0)).rejects.toBeInstanceOf(TargetSkip);
  await room?.mayWait(taken("4"), 0);
  await expect(room?.mayWait(putOff, 0)).resolves.toBeUndefined();
});

it("is never used up where nothing is published", async () => {
  const room = roomOf(limits, async () => undefined);
  await room?.mayWait(taken("1"), 0);
  await expect(room?.mayWait(putOff, 1)).resolves.toBeUndefined();
  expect(roomOf({ path: "/limits", bounds: [] }, async () => undefined)).toBeUndefined();
});
