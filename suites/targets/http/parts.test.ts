import { expect, it } from "vitest";
import type { CredentialPlace } from "../../../schemas/index.ts";
import { unauthorizedRequests } from "./unauthorized-requests.ts";

const token: CredentialPlace = { in: "header", name: "authorization", scheme: "bearer" };
const key: CredentialPlace = { in: "header", name: "X-Api-Key" };
const code: CredentialPlace = { in: "query", name: "code" };

function parts(choices: CredentialPlace[][], own: Record<string, string>): string[] {
  const request = { method: "GET", path: "/", headers: own, body: null } as const;
  const given = { own, profile: {}, search: "" };
  return unauthorizedRequests(request, choices.flat(), given, choices).flatMap(({ how, request }) =>
    how.endsWith(" alone") ? [`${how}: ${JSON.stringify(request.headers)}`] : [],
  );
}

it("leaves out each of several credentials that belong together", () => {
  const own = { authorization: "Bearer t", "x-api-key": "k" };
  const withToken = 'with bearer credentials alone: {"authorization":"Bearer t"}';
  const withKey = 'with "X-Api-Key" in the header alone: {"x-api-key":"k"}';
  expect(parts([[token, key]], own)).toEqual([withKey, withToken]);
  expect(parts([[token], [token, key]], own)).toEqual([withKey]);
  expect(parts([[token], [key]], own)).toEqual([]);
  expect(parts([[token, key]], { authorization: "Bearer t" })).toEqual([]);
  expect(parts([[token, key, code]], own)).toEqual([]);
});
