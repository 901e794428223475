import type { Json, JsonObject } from "../../../../schemas/index.ts";
import type { SigningKey, Stamp } from "./signature.ts";

/** The specification's fixture dp-001: key, stamp, URL and Response. The agent is our addition; it is not signed. */
export const dp001: { key: SigningKey; stamp: Stamp; url: string; response: JsonObject } = {
  key: { alg: "hmac-sha256", secret: "ahcp-test-secret-key-0123456789ab" },
  stamp: { t: "1749050910", jti: "jti_01HZX7Q9Z3DEMOFIX" },
  url: "https://deploybot.example/ahcp/resume",
  response: {
    ahcp_version: "0.3",
    in_reply_to: "msg_01HZXASK0001",
    resolution_id: "res_01HZXR3SOLVE",
    agent: { id: "deploybot", run_id: "run-1" },
    resolution: "answered",
    response: {
      value: "hold",
      edited: false,
      actor: "human:alice",
      resolved_at: "2026-06-04T15:48:30Z",
      comment: "Let's get a human eye on the migration first.",
    },
    state: { sealed: "v1.demo.MOCK-SEALED-STATE-BLOB" },
  },
};

/** The payload of the specification's fixture dp-004, with numbers of each kind. */
export const dp004: { response: JsonObject; state: JsonObject } = {
  response: {
    value: {
      amount: 1234.5,
      count: 42,
      ratio: -0.001,
      tiny: 1e-7,
      big: 1e21,
      max_safe: 9007199254740991,
      items: [1, -2, 3.5],
      ok: true,
    },
    edited: false,
    actor: "human:alice",
    resolved_at: "2026-06-12T00:00:00Z",
  },
  state: { seq: 7, balance: -0.5, nested: { n: 0 } },
};

/** Member names that are easily serialized or sorted incorrectly. */
export const trickyTexts: Json = {
  "\u20ac": 1,
  "\r": 2,
  "\ufb33": 3,
  "1": 4,
  "\u{1f600}": 5,
  "\u0080": 6,
  "\u00f6": 7,
};

/** A string with characters that serializers escape differently. */
export const trickyComment = '<b>&\u2028\u2029\u007f/\u000f\b\f\n\r\t"\\ e\u0301 \u00e9';

/** Numbers in several notations. Every parser should read the same doubles, and every serializer should write the same text. */
export const trickyNumbers: string =
  "[-0,0.0,1.0,1e0,10e-1,1e20,1e21,999999999999999900000,1e-6,1e-7,0.0000010,5e-324,1.7976931348623157e308," +
  "9007199254740991,9007199254740992,9007199254740993,333333333.33333329,4.50,2e-3,-1.5e300,123456789012345680000]";
