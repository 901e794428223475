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

/** The drafts made for a document, from its samples. */
async function made(name: string, watch: Watch = () => true): Promise<Made> {
  const [own] = documents.filter((each) => each.name === name) as [Document];
  const model = await compileModel(protocol.schemas, own.schema);
  const [valid, invalid] = [new Drafts(), new Drafts()];
  for (const [index, data] of (samples[name] as Json[]).entries())
    valid.add({ data, name: ["sample", String(index)], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });
  const subject: Subject = { model, samples: samples[name] as Json[], elsewhere: new Set(), watch };
  addNamed({ ...subject, named: await namedFor(protocol, own, model) }, valid, invalid);
  const isNew = ({ named }: Draft): boolean => named === "only";
  return { valid: valid.all.filter(isNew), invalid: invalid.all.filter(isNew) };
}

const sets: Record<string, Made> = {};
beforeAll(async () => {
  for (const name of ["open", "closed"]) sets[name] = await made(name);
});
const of = (name: string, kind: keyof Made): Draft[] => (sets[name] as Made)[kind];
const said = (drafts: readonly Draft[]): (string | undefined)[] => drafts.map(({ description }) => description);
const faultsOf = (drafts: readonly Draft[], family: string): string[] =>
  drafts.filter(({ tags }) => tags.includes(family)).map(({ name }) => name.slice(1).join("/"));

describe("vectors of the named families", () => {
  it.each(["open", "closed"])("have Ajv's verdict, for a document that is %s", (name) => {
    const accepts = compileAjv(protocol.schemas, `${base}${name}`, "quick");
    expect(of(name, "valid").filter(({ data }) => !accepts(data))).toEqual([]);
    expect(of(name, "invalid").filter(({ data }) => accepts(data))).toEqual([]);
  });

  it("have their own time, even if an earlier stage was late", async () => {
    const stages = new Set<string>();
    await made("open", ({ stage }) => stages.add(stage).size > 0);
    expect([...stages]).toEqual(["families"]);
  });

  it("break one assertion each, or name no assertion", async () => {
    const model = await compileModel(protocol.schemas, `${base}closed`);
    const all = of("closed", "invalid");
    const alone = all.filter(({ site }) => site !== undefined);
    expect(alone.filter(({ data, site }) => !isValid(model, data, { without: site as string }))).toEqual([]);
    expect(all.filter(({ site, because }) => (site === undefined) === (because === undefined))).toEqual([]);
    expect(alone.length).toBeGreaterThan(10);
  });
});

describe("cross-type", () => {
  it("injects the member of another document if the schema is closed", () => {
    expect(said(of("closed", "invalid"))).toEqual(
      expect.arrayContaining([
        "a closing with the `table` of an opening",
        "a closing with the `wait_seconds` of an opening",
        "the whole body of an opening that is called a closing",
      ]),
    );
  });

  it("gives an open document all members of the other one, which it must accept", () => {
    const [found] = of("open", "valid").filter(({ name }) => name[1] === "foreign-field");
    expect(found?.data).toMatchObject({ type: "open", total: 12.5, reason: "spilled" });
  });

  it("uses the name of another kind for a document, and gives it that kind's member", () => {
    expect(said(of("closed", "valid"))).toEqual(
      expect.arrayContaining(["a close with the `reason` of a void", "a close that is called a void"]),
    );
  });

  it("names a kind by almost its name", () => {
    const found = of("closed", "invalid").filter(({ fault }) => fault === "misspelt-kind");
    expect(said(found)).toEqual(
      expect.arrayContaining([
        'a void that is called "Void"',
        'a void that is called "VOID"',
        'a void that is called "voids"',
      ]),
    );
  });

  it("refuses a whole body because of its missing members", () => {
    const body = of("open", "invalid").find(({ fault }) => fault === "foreign-body");
    expect(body?.data).toMatchObject({ type: "open", total: 12.5 });
    expect(isObject(body?.data) && "table" in body.data).toBe(false);
  });
});

describe("timeouts", () => {
  it("are zero, negative, a fraction, a text, in another unit, too large, null and absent", () => {
    const faults = [...faultsOf(of("open", "invalid"), "timeout"), ...faultsOf(of("open", "valid"), "timeout")];
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
  it("are too short, too long, of another alphabet or case, with white space, look-alikes and accents", () => {
    expect(faultsOf(of("open", "invalid"), "token")).toEqual(
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
  const named = async (mistake: Partial<KnownMistake>): Promise<Draft[]> => {
    const mistakes = [{ name: "by-number", says: "is the number of a table", change: [], ...mistake }];
    const own = { ...(documents[0] as Document), mistakes };
    const model = await compileModel(protocol.schemas, own.schema);
    const [valid, invalid] = [new Drafts(), new Drafts()];
    const [data] = samples.open as [Json];
    valid.add({ data, name: ["sample", "1"], at: "", says: "", tags: [], features: [], uniqueFeatures: [] });
    const subject: Subject = { model, samples: [data], elsewhere: new Set() };
    addNamed({ ...subject, named: await namedFor(protocol, own, model) }, valid, invalid);
    return [...valid.all, ...invalid.all].filter(({ tags }) => tags.includes("known-mistake"));
  };

  it("is a vector, regardless of what it breaks", async () => {
    const change = [
      { op: "replace" as const, path: "/token", value: 7 },
      { op: "remove" as const, path: "/table" },
    ];
    expect(await named({ change })).toMatchObject([
      {
        name: ["/token", "known-mistake", "by-number"],
        description: "token is the number of a table",
        data: { type: "open", token: 7, wait_seconds: 30 },
        tags: ["known-mistake"],
      },
    ]);
  });

  it("is a valid vector that some readers refuse", async () => {
    const change = [{ op: "replace" as const, path: "/table", value: 8 }];
    const [made] = await named({ change, accepted: true });
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
    await expect(named(mistake)).rejects.toThrow(what);
  });
});
