import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ScenarioContext, TargetFailure, TargetSkip } from "../../../../schemas/index.ts";
import { reachHook, reachIfThere } from "./reach.ts";

const statuses: Readonly<Record<string, number>> = { "/deliver": 200, "/worked": 404, "/clock": 405, "/outbox": 401 };
const server = createServer((request, response) => {
  response.writeHead(statuses[String(request.url)] ?? 500).end("{}");
});
let context: ScenarioContext;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  context = { setting: { url }, signal: new AbortController().signal } as unknown as ScenarioContext;
});
afterAll(() => void server.close());

it("calls a party's hook at its address, and skips scenarios if the party lacks it", async () => {
  expect(await reachHook(context, "deliver", {})).toMatchObject({ applied: true });
  for (const name of ["worked", "clock"]) {
    await expect(reachHook(context, name, {})).rejects.toThrow(TargetSkip);
    expect(await reachIfThere(context, name, {})).toBeUndefined();
  }
});

it("treats any other refusal as a failure of the hook", async () => {
  await expect(reachHook(context, "outbox", {})).rejects.toThrow(TargetFailure);
  await expect(reachIfThere(context, "outbox", {})).rejects.toThrow(/401; check its credentials/);
});
