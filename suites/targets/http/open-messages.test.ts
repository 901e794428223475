import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { type Document, type PublishedLimits, protocolNamed, TargetSkip } from "../../../schemas/index.ts";
import { httpTarget } from "../http.ts";
import { answerOf } from "../observations.fixture.ts";
import { type Room, roomOf } from "./open-messages.ts";

const openCondition = { published: "/depth", equal: { "/status": "open" }, id: "/id" };
const limits: PublishedLimits = { path: "/limits", bounds: [], open: openCondition };
const acceptedResponse = (id: string, status = "open") => ({
  status: 202,
  headers: {},
  body: JSON.stringify({ id, status }),
});
const postponed = { status: 429, headers: { "retry-after": "0" }, body: "" };
const ask = JSON.stringify({ type: "ask" });
const notify = JSON.stringify({ type: "notify" });

it("reports after a wait in vain that messages of the run use up the room for open messages", async () => {
  const room = roomOf(limits, async () => ({ depth: 2 }), "/type") as Room;
  for (const answer of [acceptedResponse("1"), acceptedResponse("1"), acceptedResponse("2", "delivered")])
    await room.findLimit(answer, 0, null);
  expect(await room.findLimit(postponed, 1, ask)).toBeUndefined();
  await room.findLimit(acceptedResponse("3"), 0, ask);
  expect(await room.findLimit(postponed, 0, ask)).toBe("depth, 2");
  await expect(room.findLimit(postponed, 1, ask)).rejects.toThrow(
    new TargetSkip("the messages sent before use up the server's published depth, 2: raise it for the test", {
      kind: "limit",
    }),
  );
  await expect(room.findLimit(postponed, 0, ask)).rejects.toBeInstanceOf(TargetSkip);
  await room.findLimit(acceptedResponse("4"), 0, ask);
  expect(await room.findLimit(postponed, 0, ask)).toBe("depth, 2");
});

it("still has no room after accepting a message that does not need any, and treats the postponement of such a message as a rate limit", async () => {
  const room = roomOf(limits, async () => ({ depth: 1 }), "/type") as Room;
  await room.findLimit(acceptedResponse("1"), 0, ask);
  await expect(room.findLimit(postponed, 1, ask)).rejects.toBeInstanceOf(TargetSkip);
  await room.findLimit(acceptedResponse("2", "delivered"), 0, notify);
  await expect(room.findLimit(postponed, 0, ask)).rejects.toBeInstanceOf(TargetSkip);
  for (const retries of [0, 1]) expect(await room.findLimit(postponed, retries, notify)).toBeUndefined();
});

it("has unlimited room if no limit is published", async () => {
  const room = roomOf(limits, async () => undefined) as Room;
  await room.findLimit(acceptedResponse("1"), 0, ask);
  expect(await room.findLimit(postponed, 1, ask)).toBeUndefined();
  expect(roomOf({ path: "/limits", bounds: [] }, async () => undefined)).toBeUndefined();
});

it("waits only once for room at a server that publishes its limits and accepts other messages meanwhile", async () => {
  let postCount = 0;
  const publishedLimits = { rate_limit: { requests_per_minute: 90, inbox_depth: 1 } };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method === "GET") return response.end(JSON.stringify(publishedLimits));
    postCount += 1;
    const isAsk = JSON.parse(text).type === "ask";
    if (isAsk && postCount > 1) return response.writeHead(429, { "retry-after": "0" }).end();
    return response.writeHead(202).end(acceptedResponse(String(postCount), isAsk ? "open" : "delivered").body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const target = httpTarget({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  try {
    const protocol = protocolNamed("ahcp");
    await target.open(protocol);
    expect(target.perMinute).toBe(90);
    const document = protocol.profile.documents.find(({ name }) => name === "message") as Document;
    const check = async (type: string): Promise<number> => {
      const postsBefore = postCount;
      const data = { type, agent: { id: "bot" } };
      const signal = AbortSignal.timeout(10_000);
      const firstCheck = Promise.resolve(target.check({ document, data, keep: [], seed: postCount }, signal)).then(
        answerOf,
      );
      if (type === "notify" || postsBefore === 0) expect(await firstCheck).toMatchObject({ verdict: "accepted" });
      else await expect(firstCheck).rejects.toThrow("published rate_limit/inbox_depth, 1");
      return postCount - postsBefore;
    };
    const sentTimes: number[] = [];
    for (const type of ["ask", "ask", "notify", "ask", "notify", "ask"]) sentTimes.push(await check(type));
    expect(sentTimes).toEqual([1, 2, 1, 1, 1, 1]);
  } finally {
    await target.close();
    server.close();
  }
});
