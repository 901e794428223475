import { expect, it } from "vitest";
import { semanticVectors } from "../../../../generators/index.ts";
import { protocolNamed, type Vector } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { judge } from "../../../running/run/judge.ts";

const protocol = await ruled(protocolNamed("snap"));

function vector(document: string, name: string): Vector {
  const documents = protocol.profile.documents.filter((each) => each.name === document);
  const found = documents.flatMap((each) => semanticVectors(protocol, each)).find(({ id }) => id.endsWith(name));
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  return found;
}

it.each([
  ["exchange", "SNAP-STREAM-002/changed", { at: "/answers/0/sig", rule: "SNAP-SIG-005" }],
  ["exchange", "SNAP-STREAM-003/event-first", { at: "/answers/1", rule: "SNAP-RCPT-003" }],
  ["exchange", "SNAP-STREAM-003/event-first-of-get", { at: "/answers/1", rule: "SNAP-RCPT-003" }],
  ["envelope", "SNAP-ENV-016/signed-for-the-first", { at: "/sig", rule: "SNAP-SIG-005" }],
])("names the cause and its consequences: %s %s", (document, name, reason) => {
  expect(judge(vector(document, name), { verdict: "rejected", reasons: [reason] })).toEqual({ outcome: "conforms" });
});
