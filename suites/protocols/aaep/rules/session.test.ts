import { expect, it } from "vitest";
import type { RecordingHead } from "../../../../schemas/index.ts";
import { recorded } from "./session.ts";

it("knows an event in a recorded run by either spelling of its type, and a gap by what is neither", () => {
  const read = (type: string): unknown =>
    recorded({ ms: 0, from: "producer", to: "one", message: { type }, text: type }, {} as RecordingHead)[0];
  for (const type of ["aaep:agent.state.changed", "https://aaep-protocol.org/types/agent.state.changed"])
    expect(read(type)).toEqual({ from: "producer", subscription: "one", message: { type } });
  expect(read("welcome")).toEqual({ gap: "welcome", subscription: "one" });
});
