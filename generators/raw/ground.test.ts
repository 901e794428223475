import { beforeAll, describe, expect, it } from "vitest";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { groundOf } from "./ground.ts";
import { note, notes, vectors } from "./notes.fixture.ts";
import type { RawGround } from "./raw.ts";

let oracle: Oracle;
let ground: RawGround;
beforeAll(async () => {
  const protocol = notes();
  oracle = await oracleFor(protocol.schemas, note.schema);
  ground = groundOf(protocol, note, vectors, oracle) as RawGround;
});

describe("the ground", () => {
  it("begins with the minimal vector, however long it is", () => {
    expect(ground.minimal.id).toBe("notes/1.0/note/valid/minimal");
    expect(ground.find(() => true)?.parent.id).toBe("notes/1.0/note/valid/minimal");
  });

  it("has no vector that is another document's, and none with a member that goes stale", () => {
    expect(ground.find((value) => value === "memo")).toBeUndefined();
    expect(ground.find((_, at) => at === "/key")).toBeUndefined();
    const travelling = { ...note, wrap: { at: "/payload", in: { payload: {} } } };
    expect(groundOf(notes(), travelling, vectors, oracle)?.find((_, at) => at === "/key")?.value).toBe("k");
  });

  it("keeps the others from short to long", () => {
    expect(ground.find((_, at) => at.startsWith("/extra"))?.parent.id).toMatch(/extra$/);
    expect(ground.find((_, at) => at.startsWith("/extra/_"))?.parent.id).toMatch(/prototype$/);
  });

  it("finds where values would be valid, and others not", () => {
    expect(ground.spot([""])).toMatchObject({ at: "/title", before: '{"kind":"note","title":', after: "}" });
    expect(ground.spot([7])?.at).toBe("/count");
    expect(ground.spot([7], [0.5])?.at).toBe("/count");
    expect(ground.spot([7, 0.5])?.at).toBe("/extra");
    expect(ground.spot([7], [0])).toBeUndefined();
  });

  it("leaves alone what tells documents apart, and names that are a trial of their own", () => {
    expect(ground.spot(["memo"])?.at).toBe("/title");
    const only = vectors.filter(({ id }) => /minimal|prototype/.test(id));
    expect(groundOf(notes(), note, only, oracle)?.spot([[[]]])?.at).toBe("/extra");
    expect(groundOf(notes(), note, only, oracle)?.find((_, at) => at === "/extra/__proto__")?.value).toBe(1);
  });

  it("knows other values that would be as good", () => {
    expect(ground.other(ground.minimal, "/title")).toBe("one");
    expect(ground.other(ground.minimal, "/kind")).toBeUndefined();
    expect(ground.discriminator).toEqual({ at: "/kind", others: ["memo"] });
  });

  it("is none without a vector that would be taken for the document", () => {
    const memos = vectors.filter(({ id }) => id.endsWith("memo"));
    expect(groundOf(notes(), note, memos, oracle)).toBeUndefined();
  });
});
