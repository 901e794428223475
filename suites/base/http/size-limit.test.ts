import { describe, expect, it } from "vitest";
import type { JsonObject, PublishedLimits } from "../../../schemas/index.ts";
import { exceededLimit, minimumSize } from "./size-limit.ts";

const limits: PublishedLimits = {
  path: "/limits",
  bounds: [
    { published: "/parts", at: "/list", measure: "items" },
    { published: "/part", at: "/list", measure: "bytes-of-items" },
    { published: "/text", at: "/text", measure: "bytes" },
    { published: "/all", at: "", measure: "bytes" },
  ],
};

function reasonFor(published: JsonObject, message: string, refusal = "", acceptedSize = 0): string | undefined {
  return exceededLimit(limits, published, { message, refusal, acceptedSize });
}

it("excuses the refusal of an address that a server's policy may not allow", () => {
  const limitsWithAddresses: PublishedLimits = { ...limits, addresses: [{ at: "/to", schemes: ["https", "http"] }] };
  const reasonForAddress = (text: string): string | undefined =>
    exceededLimit(limitsWithAddresses, undefined, {
      message: JSON.stringify({ to: text }),
      refusal: "",
      acceptedSize: 0,
    });
  const expectedReason =
    "not accepted by every server: a policy of its own may refuse /to, which is not https or http, or holds a user";
  for (const oddAddress of [
    "urn:isbn:0451450523",
    "mailto:a@b.example",
    "https://ada@b.example/",
    "http://a:b@c.example?x",
  ])
    expect([oddAddress, reasonForAddress(oddAddress)]).toEqual([oddAddress, expectedReason]);
  // These are not addresses, or have an allowed scheme; an @ in a path does not name a user.
  for (const plainAddress of ["https://b.example:8443/", "HTTP://b.example/a@b", "", "to me", "/to", "urn:", "urn: x"])
    expect([plainAddress, reasonForAddress(plainAddress)]).toEqual([plainAddress, undefined]);
});

describe("a published limit", () => {
  it("bounds items, the bytes of each, a member and the whole message", () => {
    expect(reasonFor({ parts: 1 }, '{"list":[1,2]}')).toBe("beyond the server's published parts: 1");
    expect(reasonFor({ parts: 2 }, '{"list":[1,2]}')).toBeUndefined();
    expect(reasonFor({ part: 3 }, '{"list":["é",4]}')).toBe("beyond the server's published part: 3");
    expect(reasonFor({ part: 4 }, '{"list":["é",4]}')).toBeUndefined();
    expect(reasonFor({ text: 3 }, '{"text":"ab"}')).toBe("beyond the server's published text: 3");
    expect(reasonFor({ all: 12 }, '{"text":"ab"}')).toBe("beyond the server's published all: 12");
    expect(reasonFor({ all: 13 }, '{"text":"ab"}')).toBeUndefined();
  });

  it("of the whole message does not excuse a refusal if the server has accepted larger ones", () => {
    expect(reasonFor({ all: 12 }, '{"text":"ab"}', "", 13)).toBeUndefined();
    expect(reasonFor({ all: 12 }, '{"text":"ab"}', "", 12)).toBeDefined();
  });

  it("that is not in the profile counts if the refusal names it", () => {
    const published = { max_options: 1, options: "few" };
    expect(reasonFor(published, "{}", '{"message":"more than max_options"}')).toBe(
      "beyond the server's published max_options: 1, by its refusal",
    );
    expect(reasonFor(published, "{}", '{"message":"too many options"}')).toBeUndefined();
  });

  it("of the whole message counts its white space", () => {
    const message = `{"text":${" ".repeat(9)}"ab"}`;
    expect(reasonFor({ all: 13 }, message)).toBeDefined();
    expect(minimumSize(message)).toBe(13);
    for (const text of ["{", "[".repeat(1e5) + "]".repeat(1e5)]) expect(minimumSize(text)).toBe(text.length);
  });

  it("does not exist for a server that does not publish any", () => {
    expect(exceededLimit(limits, undefined, { message: '{"list":[1]}', refusal: "", acceptedSize: 0 })).toBeUndefined();
  });
});
