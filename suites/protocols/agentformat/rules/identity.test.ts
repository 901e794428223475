import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { react } from "./documents.fixture.ts";
import { editionOf } from "./identity.ts";

const protocol = await ruled(protocolNamed("agentformat"));
const withMetadata = (members: JsonObject): JsonObject => ({
  ...react(),
  metadata: { ...(react().metadata as JsonObject), ...members },
});
const rulesBrokenBy = (document: Json): string[] =>
  findings(protocol, "agent", document).map(({ rule, at }) => `${rule} ${at}`);

describe("a document's identity", () => {
  it.each(["https://x", "urn:isbn:0", "mailto:a@b.example", "https://a.example/?q=%20#f"])(
    "accepts %s as a home page",
    (homepage) => expect(rulesBrokenBy(withMetadata({ homepage }))).toEqual([]),
  );

  it.each(["not a uri", "", "www.example.org", "/desk", "https://a b.example/", "https://a.example/%zz"])(
    "refuses %j as a home page",
    (homepage) => expect(rulesBrokenBy(withMetadata({ homepage }))).toEqual(["AGF-META-007 /metadata/homepage"]),
  );

  it.each([
    ["www.example.org", "MUST"],
    ["1http://a.example", "MUST"],
    ["https://a b.example/", "SHOULD"],
    [" https://a.example/", "SHOULD"],
    ["https://a.example/%zz", "SHOULD"],
  ])("reports %j as a home page at the level %s", (homepage, level) =>
    expect(findings(protocol, "agent", withMetadata({ homepage })).map((ruleViolation) => ruleViolation.level)).toEqual(
      [level],
    ),
  );

  it("reports a later minor version only as a note", () => {
    const versionFindings = (schema_version: string): string[] =>
      findings(protocol, "agent", { ...react(), schema_version }).map(({ rule, level }) => `${rule} ${level}`);
    expect(versionFindings("1.0.7")).toEqual([]);
    expect(versionFindings("1.3.0")).toEqual(["AGF-DOC-003 NOTE"]);
    expect(versionFindings("2.0.0")).toEqual(["AGF-DOC-003 MUST"]);
  });

  it("is not judged if URI validators differ on the home page", () => {
    expect(rulesBrokenBy(withMetadata({ homepage: "https://example.org:port/" }))).toEqual([]);
  });

  it.each([
    ["1.0.0", [1, 0, 0]],
    ["01.002.10", [1, 2, 10]],
    ["1.0", undefined],
    ["1.0.0\n", undefined],
    ["١.0.0", undefined],
    [undefined, undefined],
  ])("parses the schema version %j as %j", (text, edition) => expect(editionOf(text)).toEqual(edition));
});
