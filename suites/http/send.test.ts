import type { Pool } from "undici";
import { expect, it } from "vitest";
import { send } from "./send.ts";

it.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", /^no connection: .*; set NODE_EXTRA_CA_CERTS /],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /^no connection: .*; set NODE_EXTRA_CA_CERTS /],
  ["CERT_HAS_EXPIRED", /^no connection: [^;]*$/],
  ["ECONNREFUSED", /^no connection: [^;]*$/],
])("says what to do about %s", async (code, expected) => {
  const error = Object.assign(new Error("it cannot be"), { code });
  const dispatch: Pool["dispatch"] = (_, handler) => {
    handler.onResponseError?.({} as never, error);
    return true;
  };
  const request = { method: "GET", path: "/", headers: [], body: "" } as const;
  const sent = send({ dispatch } as Pool, request as never, AbortSignal.timeout(60_000));
  await expect(sent).rejects.toMatchObject({ stage: "connect", message: expect.stringMatching(expected) });
});
