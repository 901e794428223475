import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packFrom } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "security-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("an operation requires its own security or else the document's, unless a choice is empty or unsupported", async () => {
  const securityByName = {
    a: "",
    b: "[]",
    c: "[{}, { key: [] }]",
    d: "[{ key: [] }, { login: [], token: [] }]",
    e: "[{ key: [] }, { mutual: [] }]",
  };
  const paths = Object.entries(securityByName).map(
    ([name, security]) =>
      `  /${name}: { get: { operationId: ${name}, responses: {}${security === "" ? "" : `, security: ${security}`} } }`,
  );
  writeFileSync(
    join(folder, "api.yaml"),
    `openapi: 3.1.0
info: { title: Secure }
security: [{ token: [] }]
paths:
${paths.join("\n")}
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: k }
    login: { type: http, scheme: Basic }
    token: { type: oauth2, flows: {} }
    mutual: { type: mutualTLS }
`,
  );
  const { texts } = await packFrom(join(folder, "api.yaml"), { out: join(folder, "pack") });
  const { documents } = JSON.parse(texts.get("profile.json") ?? "");
  const header = { in: "header", name: "authorization" };
  expect(
    documents.map(
      (document: { endpoint: { described: { security?: object } } }) => document.endpoint.described.security,
    ),
  ).toEqual([
    { rule: "A-SECURITY-001", places: [{ ...header, scheme: "bearer" }] },
    undefined,
    undefined,
    {
      rule: "D-SECURITY-001",
      places: [
        { in: "query", name: "k" },
        { ...header, scheme: "basic" },
        { ...header, scheme: "bearer" },
      ],
      choices: [
        [{ in: "query", name: "k" }],
        [
          { ...header, scheme: "basic" },
          { ...header, scheme: "bearer" },
        ],
      ],
    },
    undefined,
  ]);
  expect(JSON.parse(texts.get("rules.json") ?? "").rules.map(({ id }: { id: string }) => id)).toEqual([
    "A-SECURITY-001",
    "D-SECURITY-001",
  ]);
});
