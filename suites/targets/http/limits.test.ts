import { expect, it } from "vitest";
import type { PublishedLimits } from "../../../schemas/index.ts";
import { overOf } from "./limits.ts";

const limits: PublishedLimits = { path: "/limits", bounds: [{ published: "/most", at: "", measure: "bytes" }] };
const answer = (status: number) => ({ status, headers: {}, body: "" });

it("asks once for published limits, when the server first refuses a message", async () => {
  const asked: string[] = [];
  const over = overOf(limits, async (path) => {
    asked.push(path);
    return { most: 2 };
  });
  expect([await over("12", answer(202)), await over("123", answer(500)), asked]).toEqual([undefined, undefined, []]);
  expect(await over("123", answer(422))).toBe("beyond the server's published most: 2");
  expect([await over("12", answer(422)), asked]).toEqual([undefined, ["/limits"]]);
  await over("1234", answer(202));
  expect(await over("123", answer(422))).toBeUndefined();
});
