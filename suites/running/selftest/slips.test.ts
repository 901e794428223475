import { expect, it } from "vitest";
import {
  documentNamed,
  isObject,
  type Json,
  type Protocol,
  protocolNamed,
  type SchemaJudge,
  type Vector,
  type VectorFile,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { judgeFor } from "../../packs/reference/validator.ts";
import { judge } from "../run/judge.ts";

/** How a reader alters one member before it judges the message correctly. */
type Slip = (value: Json) => Json;

const [ahcp, aaep, snap] = ["ahcp", "aaep", "snap"].map(protocolNamed) as [Protocol, Protocol, Protocol];
const events = aaep.profile.documents.flatMap(({ name }) => (name.startsWith("agent.") ? [name] : []));

const trueAsOne: Slip = (value) => (value === true ? 1 : value);
const caseIgnored: Slip = (value) => (typeof value === "string" ? value.toLowerCase() : value);
const trimSlip: Slip = (value) => (typeof value === "string" ? value.trim() : value);
const firstItem: Slip = (value) => (Array.isArray(value) ? value.slice(0, 1) : value);
const utf16Units: Slip = (value) => (typeof value === "string" ? "x".repeat(value.length) : value);
const endAnchoredOnly: Slip = (value) =>
  typeof value === "string" ? (/evt_[A-Za-z0-9]{1,64}$/.exec(value)?.[0] ?? "") : value;

const loadedProtocols = new Map<Protocol, Promise<{ files: VectorFile[]; reasonsFor: SchemaJudge }>>();

function loadProtocol(protocol: Protocol) {
  const existing =
    loadedProtocols.get(protocol) ??
    judgeFor(protocol).then((reasonsFor) => ({ ...loadVectors(protocol), reasonsFor }));
  loadedProtocols.set(protocol, existing);
  return existing;
}

/** The schema's vectors of a document that detect a reader with the slip. */
async function vectorsExposing(protocol: Protocol, name: string, member: string, slip: Slip): Promise<Vector[]> {
  const document = documentNamed(protocol, name);
  const { files, reasonsFor } = await loadProtocol(protocol);
  const tests = files.flatMap((file) => (file.document === name ? file.tests : []));
  return tests.filter((vector) => {
    const { data, id } = vector;
    if (data === undefined || id.includes("/semantic/")) return false;
    const read =
      isObject(data) && Object.hasOwn(data, member) ? { ...data, [member]: slip(data[member] as Json) } : data;
    const reasons = reasonsFor(document, read);
    return judge(vector, { verdict: reasons.length > 0 ? "rejected" : "accepted", reasons: [] }).outcome === "violates";
  });
}

const everyEvent = (title: string, member: string, slip: Slip, rule: string) =>
  events.map((name) => [title, aaep, name, member, slip, rule] as const);

it.each([
  ...everyEvent("true as the number 1", "sequence_number", trueAsOne, "AAEP-ENV-025"),
  ...everyEvent("a value in another case", "verbosity", caseIgnored, "AAEP-ENV-023"),
  ...everyEvent("an id after other text", "event_id", endAnchoredOnly, "AAEP-ENV-011"),
  ["invalid items after the first", ahcp, "message", "tags", firstItem, "AHCP-ENV-011"] as const,
])("detects a reader that accepts %s, $2", async (_slip, protocol, name, member, slip, rule) => {
  const exposingVectors = await vectorsExposing(protocol, name, member, slip);
  expect(new Set(exposingVectors.map((vector) => vector.rule))).toEqual(new Set([rule]));
  expect(exposingVectors.every(({ valid }) => valid === false)).toBe(true);
});

it.each([
  ["a title counted in UTF-16 units", ahcp, "message", "title", utf16Units, "AHCP-ENV-007"],
  ["a text that is trimmed before it is counted", snap, "error", "message", trimSlip, "SNAP-PAY-012"],
] as const)("detects a reader that refuses %s, in one document", async (_slip, protocol, name, member, slip, rule) => {
  const refusedValid = (await vectorsExposing(protocol, name, member, slip)).filter(({ valid }) => valid === true);
  expect(new Set(refusedValid.map((vector) => vector.rule))).toContain(rule);
});

it.each([
  [ahcp, "message", "tags"],
  [ahcp, "get-message", "title"],
  [snap, "error", "message"],
  ...events.map((name) => [aaep, name, "sequence_number"] as const),
] as const)("fails no reader without a slip", async (protocol, name, member) => {
  expect(await vectorsExposing(protocol, name, member, (value) => value)).toEqual([]);
});
