import type { Cases, DisputedCase, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { callbackUrl, hmacKey, now, pushed, replace, stamp } from "./deliveries.ts";
import { dp001 } from "./fixtures.ts";
import { answered } from "./responses.ts";
import { sign, signedContext } from "./signature.ts";

const plain: JsonObject = { ...answered("rye", { comment: "Before six." }), state: { sealed: "k1.cXV4", step: 2 } };
const { jti } = stamp;
const context = signedContext(plain, callbackUrl, stamp);

function becomes(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "add", path, value }], ...(from === undefined ? {} : { from }) };
}

function without(name: string, says: string, path: string): InvalidCase {
  return { name, says, at: path.slice(0, path.lastIndexOf("/")), change: [{ op: "remove", path }] };
}

function late(
  name: string,
  says: string,
  seconds: number,
): { name: string; says: string; at: string; data: JsonObject } {
  return { name, says, at: "/clock", data: pushed(plain, { members: { clock: now + seconds } }) };
}

const dp = pushed(dp001.response, { key: dp001.key, stamp: dp001.stamp, url: dp001.url });
const other: JsonObject = { jti: "jti_other", in_reply_to: "msg_other", at: now - 5 };

export const tamperedCases: Cases[] = [
  {
    rule: "AHCP-SIG-012",
    document: "delivery",
    valid: [
      { name: "untouched", says: "is what was signed", at: "/body", data: pushed(plain) },
      { name: "dp-003-control", says: "is what was signed, as in the protocol's own example", at: "/body", data: dp },
      {
        name: "as-text",
        says: "is what was signed, spelt with escapes, spaces, and members in another order",
        at: "/body",
        edge: true,
        data: { ...pushed(answered("caf\u00e9")), body: respelt() },
      },
    ],
    invalid: [
      becomes("value", "is another answer than was signed", "/body/response/value", "wheat"),
      becomes("dp-003", "is another answer than was signed", "/body/response/value", "ship", "dp-003-control"),
      becomes("value-with-space", "has a space more than was signed", "/body/response/value", "rye "),
      becomes("comment", "is another comment than was signed", "/body/response/comment", "After six."),
      without("comment-removed", "lacks the comment that was signed", "/body/response/comment"),
      becomes("actor", "is another person than was signed", "/body/response/actor", "human:eve"),
      becomes("edited", "says edited, which was not signed", "/body/response/edited", true),
      becomes("not-edited", "says expressly not edited, which was not signed", "/body/response/edited", false),
      becomes("time", "is another time than was signed", "/body/response/resolved_at", "2026-03-02T04:21:38Z"),
      becomes("unknown-member", "is a member that was not signed", "/body/response/note", ""),
      becomes("state", "is another state than was signed", "/body/state/step", 3),
      becomes("state-emptied", "is empty, and what was signed was not", "/body/state", {}),
      without("state-removed", "lacks the state that was signed", "/body/state"),
      without("response-removed", "lacks the response that was signed", "/body/response"),
      {
        name: "old-digest-in-body",
        says: "is another answer, and the body brings the digest of the one that was signed",
        at: "/body/response/value",
        change: [
          replace("/body/response/value", "wheat"),
          { op: "add", path: "/body/payload_sha256", value: context.payload_sha256 as string },
        ],
      },
    ],
  },
  {
    rule: "AHCP-SIG-013",
    document: "delivery",
    valid: [
      late("in-time", "is three seconds after the signature", 3),
      late("110-late", "is 110 seconds after the signature", 110),
      late("110-early", "is 110 seconds before the signature", -110),
      { ...late("119-late", "is 119 seconds after the signature", 119), edge: true },
      { ...late("119-early", "is 119 seconds before the signature", -119), edge: true },
    ],
    invalid: [
      ...[121, 135, 9999].flatMap((seconds) => [
        becomes(`${seconds}-late`, `is ${seconds} seconds after the signature`, "/clock", now + seconds),
        becomes(`${seconds}-early`, `is ${seconds} seconds before the signature`, "/clock", now - seconds),
      ]),
      becomes("clock-at-zero", "has not been set", "/clock", 0),
      {
        name: "milliseconds",
        says: "states the time in milliseconds, signed as it is",
        at: "/signature",
        change: [
          replace("/signature", sign(plain, callbackUrl, { t: `${now}000`, jti }, hmacKey)),
          replace("/signed", signedContext(plain, callbackUrl, { t: `${now}000`, jti })),
        ],
      },
    ],
    disputed: [120, -120, 120.9].map(
      (seconds): DisputedCase => ({
        ...becomes(
          `boundary${seconds < 0 ? "-early" : seconds > 120 ? "-and-a-fraction" : ""}`,
          `is ${Math.abs(seconds)} seconds ${seconds < 0 ? "before" : "after"} the signature`,
          "/clock",
          now + seconds,
        ),
        readings: [
          {
            verdict: "valid",
            by: ["position"],
            why: "whether the boundary belongs to the window, and fractions count, is not said",
          },
          { verdict: "invalid", by: ["specification §9.2"], why: "120 seconds is where the window ends" },
        ],
      }),
    ),
  },
  {
    rule: "AHCP-SIG-014",
    document: "delivery",
    valid: [
      { name: "first", says: "is the first that the agent sees", data: pushed(plain, { members: { seen: [] } }) },
      { name: "other-nonce", says: "has a nonce of its own", data: pushed(plain, { members: { seen: [other] } }) },
      {
        name: "other-case",
        says: "has a nonce that differs in case from one that was used",
        edge: true,
        data: pushed(plain, { members: { seen: [{ ...other, jti: jti.toUpperCase() }] } }),
      },
    ],
    invalid: [
      becomes(
        "used-just-now",
        "is the nonce of this push, used for another message",
        "/seen/0/jti",
        jti,
        "other-nonce",
      ),
      {
        name: "used-at-the-edge",
        from: "other-nonce",
        says: "is the nonce of this push, used 110 seconds ago",
        at: "/seen/0/jti",
        change: [replace("/seen/0", { ...other, jti, at: now + 3 - 110 })],
      },
      becomes("second-of-two", "is the nonce of this push, among others", "/seen/1", { ...other, jti }, "other-nonce"),
    ],
    disputed: [
      {
        name: "forgotten",
        from: "other-nonce",
        says: "is the nonce of this push, used five minutes ago",
        change: [replace("/seen/0", { ...other, jti, at: now - 300 })],
        readings: [
          { verdict: "valid", by: ["specification §9.2"], why: "a nonce is kept for the window, which is over" },
          { verdict: "invalid", by: ["position"], why: "it may be kept for longer" },
        ],
      },
      {
        name: "same-message",
        from: "other-nonce",
        says: "is the nonce of this push, used for this message",
        change: [replace("/seen/0", { ...other, jti, in_reply_to: plain.in_reply_to as string })],
        readings: [
          {
            verdict: "valid",
            by: ["position"],
            why: "a retry need not be signed anew, and the agent has not acted yet",
          },
          { verdict: "invalid", by: ["specification §9.2"], why: "a nonce is used once" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-SIG-015",
    document: "delivery",
    valid: [
      { name: "own-address", says: "is signed for this address and this message", data: pushed(plain) },
      {
        name: "other-agent-url",
        says: "is signed for an address with a query",
        edge: true,
        data: pushed(plain, { url: `${callbackUrl}?run=18` }),
      },
    ],
    invalid: [
      becomes(
        "other-host",
        "is another host than was signed for",
        "/callback_url",
        "https://till.bakery.example/ahcp/resume",
      ),
      becomes(
        "other-path",
        "is another path than was signed for",
        "/callback_url",
        "https://oven.bakery.example/ahcp/resume2",
      ),
      becomes(
        "other-query",
        "is another query than was signed for",
        "/callback_url",
        `${callbackUrl}?run=19`,
        "other-agent-url",
      ),
      becomes(
        "plain-http",
        "is without TLS, and was signed with it",
        "/callback_url",
        callbackUrl.replace("https", "http"),
      ),
      becomes("other-message", "is another message than was signed", "/body/in_reply_to", "msg_7f2b"),
      becomes("other-outcome", "is another outcome than was signed", "/body/resolution_id", "res_c41e"),
      {
        name: "header-of-another",
        says: "is the header of another message, with the same answer",
        change: foreign(),
      },
    ],
  },
];

function foreign(): InvalidCase["change"] & object {
  const record = pushed({ ...plain, in_reply_to: "msg_7f2b", resolution_id: "res_c41e" });
  return ["signature", "signed"].map((name) => replace(`/${name}`, record[name] as Json));
}

function respelt(): string {
  const { agent, response: detail, ...rest } = answered("caf\u00e9");
  const text = JSON.stringify({ response: detail as Json, ...rest, agent: agent as Json }, null, 1);
  return text.replace("\u00e9", "\\u00e9").replaceAll("oven", "\\u006fven");
}
