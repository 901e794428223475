import { beforeAll, describe, expect, it } from "vitest";
import {
  type Document,
  isObject,
  type Json,
  type JsonObject,
  type KnownMistake,
  type Profile,
  type Protocol,
} from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { type Draft, Drafts, type Subject } from "../drafts/draft.ts";
import type { Watch } from "../drafts/work-progress.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { addNamed, namedFor } from "./index.ts";

const base = "https://example.org/shop/";
const head = { type: "object", required: ["type", "token"] };
const token = { type: "string", pattern: "^ord_[a-z0-9]{4,8}$" };
const open = {
  $id: `${base}open`,
  ...head,
  required: ["type", "token", "table"],
  properties: {
    type: { const: "open" },
    token,
    table: { type: "integer" },
    wait_seconds: { type: "integer", minimum: 1, maximum: 600 },
  },
};
const closed = {
  $id: `${base}closed`,
  ...head,
  properties: { type: { enum: ["close", "void"] }, token, total: { type: "number" }, reason: { type: "string" } },
  additionalProperties: false,
};
const samples: Record<string, Json[]> = {
  open: [{ type: "open", token: "ord_ab12", table: 7, wait_seconds: 30 }],
  closed: [
    { type: "close", token: "ord_ab12", total: 12.5 },
    { type: "void", token: "ord_cd34", reason: "spilled" },
  ],
};
const document = (name: string, schema: JsonObject, types: string[]): Document => ({
  name,
  title: name === "open" ? "Opening" : "Closing",
  schema: String(schema.$id),
  file: `${name}.json`,
  standalone: true,
  role: "entry",
  when: { "/type": types },
  samples: samples[name] as Json[],
});
const documents = [document("open", open, ["open"]), document("closed", closed, ["close", "void"])];
const protocol = {
  schemas: [open, closed],
  profile: {
    documents,
    timeouts: [{ documents: ["open"], at: "/wait_seconds", unit: "seconds" }],
    tokens: [{ documents: ["open", "closed"], at: "/token" }],
    kinds: [{ document: "closed", at: "/type", members: { close: ["total"], void: ["reason"] } }],
  } satisfies Partial<Profile>,
} as unknown as Protocol;

interface Made {
  valid: Draft[];
  invalid: Draft[];
}

/** Makes the drafts for a document from its samples. */
async function makeDrafts(name: string, watch: Watch = () => true): Promise<Made> {
  const [shopDocument] = documents.filter((each) => each.name === name) as [Document];
  const model = await compileModel(protocol.schemas, shopDocument.schema);
  const [valid, invalid] = [new Drafts(), new Drafts()];
  for (const [index, data] of (samples[name] as Json[]).entries())
    valid.add({ data, name: ["sample", String(index)], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });
  const subject: Subject = { model, samples: samples[name] as Json[], elsewhere: new Set(), watch };
  addNamed({ ...subject, named: await namedFor(protocol, shopDocument, model) }, valid, invalid);
  const isNew = ({ named }: Draft): boolean => named === "only";
  return { valid: valid.all.filter(isNew), invalid: invalid.all.filter(isNew) };
}

const sets: Record<string, Made> = {};
beforeAll(async () => {
  for (const name of ["open", "closed"]) sets[name] = await makeDrafts(name);
});
const draftsOf = (name: string, kind: keyof Made): Draft[] => (sets[name] as Made)[kind];
const descriptionsOf = (drafts: readonly Draft[]): (string | undefined)[] =>
  drafts.map(({ description }) => description);
const faultsOf = (drafts: readonly Draft[], family: string): string[] =>
  drafts.filter(({ tags }) => tags.includes(family)).map(({ name }) => name.slice(1).join("/"));

describe("vectors of the named families", () => {
  it.each(["open", "closed"])("have Ajv's verdict, for a document that is %s", (name) => {
    const accepts = compileAjv(protocol.schemas, `${base}${name}`, "quick");
    expect(draftsOf(name, "valid").filter(({ data }) => !accepts(data))).toEqual([]);
    expect(draftsOf(name, "invalid").filter(({ data }) => accepts(data))).toEqual([]);
  });

  it("are made in a separate stage", async () => {
    const stages = new Set<string>();
    await makeDrafts("open", ({ stage }) => stages.add(stage).size > 0);
    expect([...stages]).toEqual(["families"]);
  });

  it("isolate one assertion, or name the decisive one of several", async () => {
    const model = await compileModel(protocol.schemas, `${base}closed`);
    const invalid = draftsOf("closed", "invalid");
    const isolated = invalid.filter(({ site }) => site !== undefined);
    expect(isolated.filter(({ data, site }) => !isValid(model, data, { without: site as string }))).toEqual([]);
    expect(invalid.filter(({ site, because }) => (site === undefined) === (because === undefined))).toEqual([]);
    expect(isolated.length).toBeGreaterThan(10);
  });
});

describe("cross-type", () => {
  it("injects the member of another document if the schema is closed", () => {
    expect(descriptionsOf(draftsOf("closed", "invalid"))).toEqual(
      expect.arrayContaining([
        "a closing with the `table` of an opening",
        "a closing with the `wait_seconds` of an opening",
        "the whole body of an opening that is called a closing",
      ]),
    );
  });

  it("adds all members of the other document to an open one, which must accept them", () => {
    const [foreignField] = draftsOf("open", "valid").filter(({ name }) => name[1] === "foreign-field");
    expect(foreignField?.data).toMatchObject({ type: "open", total: 12.5, reason: "spilled" });
  });

  it("renames a message to another kind of the same document, or adds a member of that kind", () => {
    expect(descriptionsOf(draftsOf("closed", "valid"))).toEqual(
      expect.arrayContaining(["a close with the `reason` of a void", "a close that is called a void"]),
    );
  });

  it("misspells the name of a kind", () => {
    const misspelt = draftsOf("closed", "invalid").filter(({ fault }) => fault === "misspelt-kind");
    expect(descriptionsOf(misspelt)).toEqual(
      expect.arrayContaining([
        'a void that is called "Void"',
        'a void that is called "VOID"',
        'a void that is called "voids"',
      ]),
    );
  });

  it("refuses a whole body because of its missing members", () => {
    const body = draftsOf("open", "invalid").find(({ fault }) => fault === "foreign-body");
    expect(body?.data).toMatchObject({ type: "open", total: 12.5 });
    expect(isObject(body?.data) && "table" in body.data).toBe(false);
  });
});

describe("timeouts", () => {
  it("have variants that are zero, negative, fractional, strings, in a different unit, too large, null and absent", () => {
    const faults = [
      ...faultsOf(draftsOf("open", "invalid"), "timeout"),
      ...faultsOf(draftsOf("open", "valid"), "timeout"),
    ];
    expect(faults).toEqual(
      expect.arrayContaining([
        "timeout-zero",
        "timeout-negative",
        "timeout-fraction",
        "timeout-as-text/digits",
        "timeout-null",
        "timeout-wrong-unit/milliseconds",
        "timeout-overflow/53-bit",
        "timeout-absent",
      ]),
    );
  });
});

describe("tokens", () => {
  it("have variants of a different length, alphabet or case, and with white space, look-alikes and accents", () => {
    expect(faultsOf(draftsOf("open", "invalid"), "token")).toEqual(
      expect.arrayContaining([
        "token-too-short",
        "token-too-long",
        "token-wrong-alphabet",
        "token-wrong-case",
        "token-white-space/inside",
        "token-look-alike/letter",
        "token-not-normalised/decomposed",
      ]),
    );
  });
});

describe("a known mistake", () => {
  const draftMistake = async (mistake: Partial<KnownMistake>): Promise<Draft[]> => {
    const mistakes = [{ name: "by-number", says: "is the number of a table", change: [], ...mistake }];
    const withMistake = { ...(documents[0] as Document), mistakes };
    const model = await compileModel(protocol.schemas, withMistake.schema);
    const [valid, invalid] = [new Drafts(), new Drafts()];
    const [data] = samples.open as [Json];
    valid.add({ data, name: ["sample", "1"], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });
    const subject: Subject = { model, samples: [data], elsewhere: new Set() };
    addNamed({ ...subject, named: await namedFor(protocol, withMistake, model) }, valid, invalid);
    return [...valid.all, ...invalid.all].filter(({ tags }) => tags.includes("known-mistake"));
  };

  it("becomes a vector, even if it breaks several assertions", async () => {
    const change = [
      { op: "replace" as const, path: "/token", value: 7 },
      { op: "remove" as const, path: "/table" },
    ];
    expect(await draftMistake({ change })).toMatchObject([
      {
        name: ["/token", "known-mistake", "by-number"],
        description: "token is the number of a table",
        data: { type: "open", token: 7, wait_seconds: 30 },
        tags: ["known-mistake"],
      },
    ]);
  });

  it("becomes a valid vector if `accepted` is set", async () => {
    const change = [{ op: "replace" as const, path: "/table", value: 8 }];
    const [made] = await draftMistake({ change, accepted: true });
    expect(made).toMatchObject({
      name: ["/table", "known-mistake", "by-number"],
      injected: { fault: "known-mistake" },
    });
  });

  it.each<[string, Partial<KnownMistake>]>([
    ["the schema refuses what comes of its change", { change: [{ op: "remove", path: "/table" }], accepted: true }],
    ["the schema accepts what comes of its change", { change: [{ op: "replace", path: "/table", value: 8 }] }],
    ["its change does not fit sample 1", { change: [{ op: "remove", path: "/none" }] }],
    ["there is no valid sample 2 to be changed", { sample: 2, change: [{ op: "remove", path: "/table" }] }],
  ])("is refused if %s", async (what, mistake) => {
    await expect(draftMistake(mistake)).rejects.toThrow(what);
  });
});
