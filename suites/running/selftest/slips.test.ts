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

/** Alters one member as a faulty reader would do, before the message is judged correctly. */
type Slip = (value: Json) => Json;

const [ahcp, aaep, snap] = ["ahcp", "aaep", "snap"].map(protocolNamed) as [Protocol, Protocol, Protocol];
const events = aaep.profile.documents.flatMap(({ name }) => (name.startsWith("agent.") ? [name] : []));

const readTrueAsOne: Slip = (value) => (value === true ? 1 : value);
const ignoreCase: Slip = (value) => (typeof value === "string" ? value.toLowerCase() : value);
const trim: Slip = (value) => (typeof value === "string" ? value.trim() : value);
const keepFirstItem: Slip = (value) => (Array.isArray(value) ? value.slice(0, 1) : value);
const countUtf16Units: Slip = (value) => (typeof value === "string" ? "x".repeat(value.length) : value);
const dropPrefix: Slip = (value) =>
  typeof value === "string" ? (/evt_[A-Za-z0-9]{1,64}$/.exec(value)?.[0] ?? "") : value;

const loadedProtocols = new Map<Protocol, Promise<{ files: VectorFile[]; reasonsFor: SchemaJudge }>>();

function loadProtocol(protocol: Protocol) {
  const loaded =
    loadedProtocols.get(protocol) ??
    judgeFor(protocol).then((reasonsFor) => ({ ...loadVectors(protocol), reasonsFor }));
  loadedProtocols.set(protocol, loaded);
  return loaded;
}

/** Returns the vectors about a document's schema that detect a reader with the slip. */
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

const casesOfEveryEvent = (title: string, member: string, slip: Slip, rule: string) =>
  events.map((name) => [title, aaep, name, member, slip, rule] as const);

it.each([
  ...casesOfEveryEvent("true as the number 1", "sequence_number", readTrueAsOne, "AAEP-ENV-025"),
  ...casesOfEveryEvent("a value in a different case", "verbosity", ignoreCase, "AAEP-ENV-023"),
  ...casesOfEveryEvent("an id with a prefix", "event_id", dropPrefix, "AAEP-ENV-011"),
  ["invalid items after the first", ahcp, "message", "tags", keepFirstItem, "AHCP-ENV-011"] as const,
])("detects a reader that accepts %s, $2", async (_slip, protocol, name, member, slip, rule) => {
  const exposingVectors = await vectorsExposing(protocol, name, member, slip);
  expect(new Set(exposingVectors.map((vector) => vector.rule))).toEqual(new Set([rule]));
  expect(exposingVectors.every(({ valid }) => valid === false)).toBe(true);
});

it.each([
  ["a title counted in UTF-16 units", ahcp, "message", "title", countUtf16Units, "AHCP-ENV-007"],
  ["a string that it trims before counting", snap, "error", "message", trim, "SNAP-PAY-012"],
] as const)("detects a reader that refuses %s, in one document", async (_slip, protocol, name, member, slip, rule) => {
  const refusedValid = (await vectorsExposing(protocol, name, member, slip)).filter(({ valid }) => valid === true);
  expect(new Set(refusedValid.map((vector) => vector.rule))).toContain(rule);
});

it.each([
  [ahcp, "message", "tags"],
  [ahcp, "get-message", "title"],
  [snap, "error", "message"],
  ...events.map((name) => [aaep, name, "sequence_number"] as const),
] as const)("does not detect a reader of $1 without a slip", async (protocol, name, member) => {
  expect(await vectorsExposing(protocol, name, member, (value) => value)).toEqual([]);
});
