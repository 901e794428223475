import { expect, it } from "vitest";
import { TargetMemory, TargetSkip, type Vector } from "../../schemas/index.ts";
import { resultWithout } from "./result.ts";
import { Deadline } from "./schedule.ts";

const vector: Vector = { id: "a", description: "", needs: [], tags: [], data: {} };

it("no answer in time to what readings differ on is disputed, to anything else it is timed out", () => {
  const late = new Deadline("no answer in 5 s");
  expect(resultWithout(vector, "note", late).outcome).toBe("disputed");
  expect(resultWithout({ ...vector, valid: true }, "note", late).outcome).toBe("timed-out");
  expect(resultWithout(vector, "note", new Error("broken")).outcome).toBe("errored");
});

it("what a server took before is right for a valid message, and says nothing of another", () => {
  const known = new TargetMemory("/key");
  expect(resultWithout({ ...vector, valid: true }, "note", known).outcome).toBe("conforms");
  expect(resultWithout({ ...vector, valid: false }, "note", known).outcome).toBe("skipped");
  expect(resultWithout(vector, "note", known).outcome).toBe("disputed");
  expect(resultWithout({ ...vector, valid: true }, "note", new TargetSkip("no")).outcome).toBe("skipped");
});
