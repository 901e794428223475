import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { stepsFrom, stepsOf, walkText } from "../../../../running/scenarios/walks/index.ts";
import { walks } from "./index.ts";
import { formatStep, type HubStep } from "./step.ts";
import { hub } from "./walks.ts";

const stepsIn = (text: string): HubStep[] => stepsOf(hub, text);

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

const walk =
  "submit ask due; submit notify; replay 0; rerun 0; alter 1; poll 0; cancel 1; steal 0; resolve 1 declined; expire; restart";

it("parses steps and formats them again", () => {
  const steps = stepsIn(walk);
  expect(steps[0]).toEqual({ do: "submit", type: "ask", due: true });
  expect(steps[8]).toEqual({ do: "resolve", of: 1, word: "declined" });
  expect(steps.map(formatStep).join("; ")).toBe(walk);
});

it.each(["submit", "submit bask", "resolve 0", "resolve 0 loved", "poll", "poll -1", "poll x", "jump 0"])(
  "refuses the step %j",
  (text) => {
    expect(() => stepsIn(text)).toThrow(/is not a step of a walk/);
  },
);

it("reads the steps of a walk from a file or from text", () => {
  const steps = stepsIn(walk).map(formatStep);
  const file = join(folder, "walk.json");
  writeFileSync(
    file,
    walkText(protocolNamed("ahcp"), { rule: "AHCP-IDM-001", why: "", steps, index: 3, path: "3:1" }, 7),
  );
  expect(stepsFrom(file, walks)).toEqual(steps);
  expect(stepsFrom("submit ask; poll 0", walks)).toHaveLength(2);
});

it.each(["{}", '{"steps":[1]}', '{"steps":[]}', '{"steps":["jump"]}'])("refuses a file that contains %s", (text) => {
  const file = join(folder, "other.json");
  writeFileSync(file, text);
  expect(() => stepsFrom(file, walks)).toThrow(expect.objectContaining({ kind: "usage" }));
});
