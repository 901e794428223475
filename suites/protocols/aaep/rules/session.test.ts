import { expect, it } from "vitest";
import type { RecordingHead } from "../../../../schemas/index.ts";
import { recorded } from "./session.ts";

it("recognizes a recorded event by either spelling of its type, and reads any other type as a gap", () => {
  const readType = (type: string): unknown =>
    recorded({ ms: 0, from: "producer", to: "one", message: { type }, text: type }, {} as RecordingHead)[0];
  for (const type of ["aaep:agent.state.changed", "https://aaep-protocol.org/types/agent.state.changed"])
    expect(readType(type)).toEqual({ from: "producer", subscription: "one", message: { type } });
  expect(readType("welcome")).toEqual({ gap: "welcome", subscription: "one" });
});

it("recognizes an event of an extension by its session", () => {
  const message = { type: "acme:note.taken", session_id: "sess_1", sequence_number: 3 };
  const readMessage = (sentMessage: typeof message | { type: string }): unknown =>
    recorded(
      { ms: 0, from: "producer", to: "one", message: sentMessage, text: sentMessage.type },
      {} as RecordingHead,
    )[0];
  expect(readMessage(message)).toEqual({ from: "producer", subscription: "one", message });
  expect(readMessage({ type: "acme:welcome" })).toEqual({ gap: "acme:welcome", subscription: "one" });
});
