import { expect, it } from "vitest";
import { semanticVectors } from "../../../../generators/index.ts";
import { protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { judge } from "../../../running/run/judge.ts";

const protocol = await ruled(protocolNamed("snap"));

function vectorNamed(documentName: string, name: string): Vector {
  const documents = protocol.profile.documents.filter((document) => document.name === documentName);
  const vectors = documents.flatMap((document) => semanticVectors(protocol, document));
  const vector = vectors.find(({ id }) => id.endsWith(name));
  if (vector === undefined) throw new Error(`there is no vector ${name}`);
  return vector;
}

it.each([
  ["exchange", "SNAP-STREAM-002/changed", { at: "/answers/0/sig", rule: "SNAP-SIG-005" }],
  ["exchange", "SNAP-STREAM-003/event-first", { at: "/answers/1", rule: "SNAP-RCPT-003" }],
  ["exchange", "SNAP-STREAM-003/event-first-of-get", { at: "/answers/1", rule: "SNAP-RCPT-003" }],
  ["envelope", "SNAP-ENV-016/signed-for-the-first", { at: "/sig", rule: "SNAP-SIG-005" }],
])("accepts a consequence of the fault as the reason for a refusal: %s %s", (document, name, reason) => {
  expect(judge(vectorNamed(document, name), { verdict: "rejected", reasons: [reason] })).toEqual({
    outcome: "conforms",
  });
});
