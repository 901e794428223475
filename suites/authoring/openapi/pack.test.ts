import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "order-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("operations that delete come last, and delete a part before the whole", async () => {
  const id = "{ name: id, in: path, required: true, schema: { type: integer } }";
  const operation = (name: string) => `{ operationId: ${name}, responses: {} }`;
  writeFileSync(
    join(folder, "api.yaml"),
    `openapi: 3.1.0
info: { title: Order }
paths:
  /a/{id}: { parameters: [${id}], delete: ${operation("drop-a")}, get: ${operation("get-a")} }
  /a/{id}/b: { parameters: [${id}], delete: ${operation("drop-b")}, put: ${operation("put-b")} }
`,
  );
  const { texts } = await packFrom(join(folder, "api.yaml"), { out: join(folder, "pack") });
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  expect(documents.map(({ name }: { name: string }) => name)).toEqual(
    ["get-a", "put-b", "drop-b", "drop-a"].map((name) => `${name}.parameters`),
  );
});
