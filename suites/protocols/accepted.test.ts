import { expect, it } from "vitest";
import { applyChanges, compileAjv, findings } from "../../generators/index.ts";
import { type Json, protocolsNamed } from "../../schemas/index.ts";
import { ruled } from "../index.ts";

const oftenRefused = protocolsNamed("all").flatMap((protocol) =>
  protocol.profile.documents.flatMap((document) =>
    (document.mistakes ?? [])
      .filter(({ accepted }) => accepted)
      .map((mistake) => ({ name: `${protocol.name} ${document.name} ${mistake.name}`, protocol, document, mistake })),
  ),
);

it("profiles list valid messages that implementations often refuse", () => {
  expect(oftenRefused.map(({ name }) => name)).toContain("aaep subscription.request languages-but-for-case");
});

it.each(oftenRefused)(
  "no schema or rule refuses $name",
  async ({ protocol, document, mistake: { sample = 1, change } }) => {
    const message = applyChanges(document.samples?.[sample - 1] as Json, change) as Json;
    expect(compileAjv(protocol.schemas, document.schema, "lenient")(message)).toBe(true);
    const violations = findings(await ruled(protocol), document.name, message);
    expect(violations.filter(({ level }) => level === "MUST" || level === "SHOULD")).toEqual([]);
  },
);
