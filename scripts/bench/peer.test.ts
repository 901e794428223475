import { expect, it } from "vitest";
import { startPeer } from "./peer.ts";

const $schema = "https://json-schema.org/draft/2020-12/schema";
const $id = "https://example.org/peer.json";

it("gets rounds of instances from json-schema-faker", async () => {
  const peer = await startPeer([{ $schema, $id, type: "integer", minimum: 3, maximum: 5 }], $id);
  const round = await peer.round(20, 20_000);
  await peer.close();
  expect(round?.values.length).toBe(20);
  expect(round?.values.every((value) => [3, 4, 5].includes(value as number))).toBe(true);
});

it("survives one that does not come back, and does not ask it again", async () => {
  const peer = await startPeer([{ $schema, $id, type: "string", minLength: 1_000_000_000 }], $id);
  expect(await peer.round(1, 300)).toBeUndefined();
  expect(await peer.round(1, 60_000)).toBeUndefined();
  await peer.close();
});
