import { expect, it } from "vitest";
import { applyChanges, compileAjv, findings } from "../../generators/index.ts";
import { type Json, protocolsNamed } from "../../schemas/index.ts";
import { ruled } from "../index.ts";

const often = protocolsNamed("all").flatMap((protocol) =>
  protocol.profile.documents.flatMap((document) =>
    (document.mistakes ?? [])
      .filter(({ accepted }) => accepted)
      .map((mistake) => ({ name: `${protocol.name} ${document.name} ${mistake.name}`, protocol, document, mistake })),
  ),
);

it("there are messages that are right and often refused", () => {
  expect(often.map(({ name }) => name)).toContain("aaep subscription.request languages-but-for-case");
});

it.each(often)("nothing is against $name", async ({ protocol, document, mistake: { sample = 1, change } }) => {
  const message = applyChanges(document.samples?.[sample - 1] as Json, change) as Json;
  expect(compileAjv(protocol.schemas, document.schema, "lenient")(message)).toBe(true);
  const found = findings(await ruled(protocol), document.name, message);
  expect(found.filter(({ level }) => level === "MUST" || level === "SHOULD")).toEqual([]);
});
