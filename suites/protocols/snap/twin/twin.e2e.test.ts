import { freedomsOf, protocolNamed, type Twin } from "../../../../schemas/index.ts";
import { twinTrials } from "../../../selftest/twins.ts";
import { twin } from "./index.ts";

const protocol = protocolNamed("snap");

describe("the right implementation of SNAP", () => {
  it("uses each freedom of judgement that the protocol's data lists", () => {
    const listed = freedomsOf(protocol).filter(({ shows }) => shows === "judgement");
    expect([...twin.freedoms].sort()).toEqual(listed.map(({ id }) => id).sort());
  });

  it("is never accused, whichever freedoms it uses", { timeout: 300_000 }, async () => {
    const trials = await twinTrials(protocol);
    expect(trials.length).toBe(2 + 2 * twin.freedoms.length);
    expect(trials.filter(({ accused }) => accused.length > 0)).toEqual([]);
  });
});
