import { expect, it } from "vitest";
import type { PublishedLimits } from "../../../schemas/index.ts";
import { overOf } from "./limits.ts";

const limits: PublishedLimits = { path: "/limits", bounds: [{ published: "/most", at: "", measure: "bytes" }] };
const answer = (status: number) => ({ status, headers: {}, body: "" });

it("requests the published limits once, when the server first refuses a message", async () => {
  const askedPaths: string[] = [];
  const overLimit = overOf(limits, async (path) => {
    askedPaths.push(path);
    return { most: 2 };
  });
  expect([await overLimit("12", answer(202)), await overLimit("123", answer(500)), askedPaths]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  expect(await overLimit("123", answer(422))).toBe("beyond the server's published most: 2");
  expect([await overLimit("12", answer(422)), askedPaths]).toEqual([undefined, ["/limits"]]);
  await overLimit("1234", answer(202));
  expect(await overLimit("123", answer(422))).toBeUndefined();
});
