import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { readPack } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function endpointOf(endpoint: string | JsonObject) {
  const pack = join(folder, String(++count));
  mkdirSync(join(pack, "schemas"), { recursive: true });
  writeFileSync(join(pack, "schemas/lamp.schema.json"), JSON.stringify({ type: "object" }));
  const profile = { protocol: "lamps", documents: [{ file: "schemas/lamp.schema.json", endpoint }] };
  writeFileSync(join(pack, "profile.json"), JSON.stringify(profile));
  return readPack(pack).profile.documents[0]?.endpoint;
}

it("fills a path part in braces with the given value", () => {
  const values = { parameters: { path: { room: "hall 1" } } };
  const endpoint = endpointOf({ method: "PUT", path: "/rooms/{room}/lamp", given: values });
  expect(endpoint?.parameters).toEqual([{ in: "path", name: "room", style: "simple", explode: false }]);
  expect(endpointOf("/lamp")?.parameters).toBeUndefined();
});

it("refuses a path part in braces without a value, which would be sent literally", () => {
  const message = "nothing fills {room} of the path /rooms/{room}/lamp";
  expect(() => endpointOf("/rooms/{room}/lamp")).toThrow(message);
  expect(() => endpointOf({ method: "PUT", path: "/rooms/{room}/lamp", given: {} })).toThrow(message);
});
