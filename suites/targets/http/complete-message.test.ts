import { describe, expect, it } from "vitest";
import { documentNamed, type Json, type JsonObject, protocolNamed, type Sign } from "../../../schemas/index.ts";
import { completeMessage } from "./complete-message.ts";

const snap = protocolNamed("snap");
const envelope = documentNamed(snap, "envelope");
const message = envelope.samples?.[0] as JsonObject;
const now = Date.parse("2030-02-03T04:05:06Z");

/** Signs with the length of the value, so that the signature depends on the other members. */
const sign: Sign = (value) => ({ ...(value as JsonObject), sig: `fits ${JSON.stringify(value).length}` });
const fitting = sign({ ...message, sig: "" }) as JsonObject;

function completeInstance(instance: JsonObject, more: { keep?: string[]; sign?: boolean } = {}): JsonObject {
  const dressing = { keep: more.keep ?? [], sign: more.sign ?? false, seed: 1, now };
  return completeMessage(instance, envelope, {
    wrapped: false,
    dressing,
    sign: (value) => sign({ ...(value as JsonObject), sig: "" }),
  }) as JsonObject;
}

describe("a message with a signature", () => {
  it("is signed again once the rest is fresh", () => {
    const fresh = completeInstance(fitting);
    expect(fresh.id).not.toBe(message.id);
    expect(fresh.sig).toBe((sign({ ...fresh, sig: "" }) as JsonObject).sig);
  });

  it("keeps a wrong signature, unless the question asks for a valid one and is not about the signature", () => {
    expect(completeInstance({ ...fitting, sig: "wrong" }).sig).toBe("wrong");
    expect(completeInstance({ ...fitting, sig: "wrong" }, { sign: true }).sig).toMatch(/^fits/);
    expect(completeInstance({ ...fitting, sig: "wrong" }, { sign: true, keep: ["/sig"] }).sig).toBe("wrong");
  });

  it("stays as it is if the vector is about the signature", () => {
    expect(completeInstance(fitting, { keep: ["/sig"] })).toEqual(fitting);
  });

  it("is signed as a whole if the document travels inside it", () => {
    const document = documentNamed(snap, "message-send.request");
    const dressing = { keep: [], sign: false, seed: 1, now };
    const wholeMessage = completeMessage(document.samples?.[0] as JsonObject, document, {
      wrapped: true,
      dressing,
      sign,
    }) as JsonObject;
    expect(wholeMessage.sig).toMatch(/^fits/);
    expect(
      completeMessage(document.samples?.[0] as JsonObject, document, { wrapped: true, dressing }),
    ).not.toHaveProperty("sig", wholeMessage.sig);
  });
});

it("makes the only message of a list fresh too, as its schema allows", () => {
  const document = { ...envelope, fresh: [{ at: "/id", make: "token" as const, prefix: "m-" }] };
  const questions: Json[] = [];
  const dressing = {
    keep: ["/0"],
    sign: false,
    seed: 1,
    now,
    fitting: (inner: Json) => {
      questions.push(inner);
      return { value: "m-fits", places: ["/id"] };
    },
  };
  expect(completeMessage([{ id: "old" }], document, { wrapped: false, dressing })).toEqual([{ id: "m-fits" }]);
  expect(questions).toEqual([{ id: "old" }]);
  expect(completeMessage([{ id: "old" }, { id: "old" }], document, { wrapped: false, dressing })).toEqual([
    { id: "old" },
    { id: "old" },
  ]);
});
