import { expect, it } from "vitest";
import type { JsonObject, RuledProtocol, Vector, VectorKind } from "../../schemas/index.ts";
import { assemble } from "./assemble.ts";

const $id = "https://doubtful.test/b";
const schema: JsonObject = {
  $id,
  type: "object",
  required: ["mail"],
  properties: {
    mail: { type: "string", format: "email", minLength: 80, maxLength: 100 },
    shop: { type: "string", format: "email", maxLength: 254, pattern: "@shop\\.example$" },
    host: { type: "string", format: "hostname", maxLength: 200 },
    site: { type: "string", format: "uri", pattern: "^https://", maxLength: 120 },
    born: { type: "string", format: "date" },
    at: { type: "string", format: "date-time", maxLength: 30 },
  },
};
const document = { name: "a", title: "a", schema: $id, file: "a.json", standalone: true, role: "entry" as const };
const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
const baseProfile = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats: "assert" as const };
const protocol: RuledProtocol = {
  name: "a",
  version: "1",
  folder: "",
  foreign: true,
  rules: [],
  families: [],
  schemas: [schema],
  profile: { ...baseProfile, http, documents: [document] },
};

/** Whether a mail server, a URL parser or a calendar may refuse the message. Written independently of the generator. */
function mayRefuse(data: JsonObject): boolean {
  const isHost = (text: string): boolean => text.length <= 253 && text.split(".").every((label) => label.length <= 63);
  const isMail = (text: string): boolean => {
    const [local = "", domain = ""] = text.split(/@(?=[^@]*$)/);
    return local.length <= 64 && text.length <= 254 && isHost(domain);
  };
  const {
    mail,
    shop = "a@b.example",
    host = "a",
    site = "https://a",
    born = "",
    at = "",
  } = data as Record<string, string>;
  const isTime = ![born, at].some((text) => text.startsWith("0000") || text.includes(":60"));
  return !(isMail(mail as string) && isMail(shop) && isHost(host) && URL.canParse(site) && isTime);
}

it("makes no valid vector that a correct reader may refuse, and breaks every site", async () => {
  const { files, sites } = await assemble(protocol, document, { foreign: true });
  const vectorsOfKind = (requestedKind: VectorKind): Vector[] =>
    files.find(({ kind }) => kind === requestedKind)?.file.tests ?? [];
  const valid = vectorsOfKind("valid");
  expect(valid.filter(({ data }) => mayRefuse(data as JsonObject)).map(({ id }) => id)).toEqual([]);
  expect(valid.some(({ data }) => (data as JsonObject).mail?.toString().length === 100)).toBe(true);
  expect(valid.some(({ data }) => "site" in (data as JsonObject))).toBe(true);
  const parents = new Set(valid.map(({ id }) => id));
  expect(vectorsOfKind("invalid").filter(({ parent }) => parent !== undefined && !parents.has(parent))).toEqual([]);
  expect(vectorsOfKind("disputed").filter(({ id }) => id.includes("together"))).toEqual([]);
  const reasons = vectorsOfKind("disputed").flatMap(({ readings = [] }) =>
    readings.flatMap((reading) => reading.why ?? []),
  );
  expect(reasons.some((text) => text.includes("leap second")) && reasons.some((text) => text.includes("year 0"))).toBe(
    true,
  );
  expect(sites.unbroken).toEqual([]);
}, 120_000);
