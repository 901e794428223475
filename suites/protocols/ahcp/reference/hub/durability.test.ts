import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type Hub,
  lateTime,
  notify,
  push,
  select,
  soonTime,
  startReceiver,
  startTestHub,
  task,
  waitForAttempts,
} from "./hub.fixture.ts";

let folder: string;
let journal: string;
let hub: Hub;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-"));
  journal = join(folder, "hub.jsonl");
});
afterEach(async () => {
  await hub.hub.close();
  rmSync(folder, { recursive: true });
});

/** Two ways to restart a hub. */
const restarts: [string, () => Promise<void>][] = [
  ["a simulated restart", async () => void (await hub.operate("restart"))],
  [
    "another hub on the same journal",
    async () => {
      await hub.hub.close();
      hub = await startTestHub({ journal });
    },
  ],
];

describe.each(restarts)("after %s", (_, restartHub) => {
  it("messages, keys and outcomes are unchanged", async () => {
    hub = await startTestHub({ journal });
    const ask = select({}, { state: JSON.parse('{"__proto__":{"a":1}}') });
    const [openId, answeredId, notifyId, deletedId] = [
      await hub.accept(ask),
      await hub.accept(select()),
      await hub.accept(notify),
      await hub.accept(task()),
    ];
    await hub.resolve(answeredId, "answered", { value: "red" });
    await hub.operate("delete", { id: deletedId });
    const repliesBefore = await Promise.all([openId, answeredId, notifyId, deletedId].map((id) => hub.read(id)));
    await restartHub();
    const repliesAfter = await Promise.all([openId, answeredId, notifyId, deletedId].map((id) => hub.read(id)));
    expect(repliesAfter.map(({ status, body }) => [status, body])).toEqual(
      repliesBefore.map(({ status, body }) => [status, body]),
    );
    expect((await hub.submit(ask)).body.id).toBe(openId);
    expect(await hub.resolve(openId, "declined")).toMatchObject({ applied: true });
  });

  it("a deadline that has passed takes effect", async () => {
    hub = await startTestHub({ journal });
    const id = await hub.accept(select({ default_on_expire: "blue" }, { expires_at: soonTime }));
    await restartHub();
    await hub.clock({ at: lateTime });
    const { status, response } = (await hub.read(id)).body;
    expect([status, response.response.value]).toEqual(["expired", "blue"]);
  });

  it("a push in progress arrives, and a finished push is not repeated", async () => {
    hub = await startTestHub({ journal });
    const [callback, finishedCallback] = [await startReceiver(503), await startReceiver(200)];
    const id = await hub.accept(select(push(callback.url)));
    await hub.cancel(await hub.accept(select(push(finishedCallback.url))));
    await hub.cancel(id);
    await waitForAttempts(hub, 3);
    callback.answers.splice(0, 1, 200);
    const pushCount = callback.pushes.length;
    await restartHub();
    await callback.waitForPushes(pushCount + 1);
    expect(callback.pushes.at(-1)?.body).toEqual((await hub.read(id)).body.response);
    expect(finishedCallback.pushes).toHaveLength(1);
    callback.close();
    finishedCallback.close();
  });
});

describe("a journal", () => {
  it("can be read after its last line was truncated, and no longer contains deleted messages", async () => {
    hub = await startTestHub({ journal });
    const [keptId, deletedId] = [await hub.accept(notify), await hub.accept({ ...notify, title: "secret title" })];
    await hub.operate("delete", { id: deletedId });
    await hub.hub.close();
    appendFileSync(journal, '{"event":"accep');
    hub = await startTestHub({ journal });
    expect((await hub.read(keptId)).body.title).toBe("Done");
    expect((await hub.read(deletedId)).status).toBe(410);
    expect(readFileSync(journal, "utf8")).not.toMatch(/secret title|accep$/);
    expect((await hub.submit(notify)).status).toBe(202);
  });

  it("is refused with the number of the first line that is not JSON", async () => {
    writeFileSync(journal, '{"event":"bound","host":"h","agent":"a"}\nhello\n');
    await expect(startTestHub({ journal })).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("jsonl:2"),
    });
    hub = await startTestHub();
  });
});
