import { expect, it } from "vitest";
import type { Endpoint, Parameter } from "../../../schemas/index.ts";
import { givenNames, withGiven } from "./cookies.ts";
import { skipUnwritable } from "./parameters.ts";
import { unauthorizedRequests } from "./unauthorized-requests.ts";

it("sends cookies of parameters along with configured ones, which replace those with the same name", () => {
  expect(withGiven({ cookie: "theme=dark; sid=x", a: "1" }, { cookie: "sid=right; b=c=d", a: "2" })).toEqual({
    cookie: "sid=right; b=c=d; theme=dark",
    a: "2",
  });
  expect(withGiven({ cookie: "theme=dark" }, {})).toEqual({ cookie: "theme=dark" });
  expect(withGiven({}, { cookie: "sid=right" })).toEqual({ cookie: "sid=right" });
});

it("skips a vector that would replace a configured cookie", () => {
  const cookieParameter = (name: string): Parameter => ({ in: "cookie", name, style: "form", explode: true });
  const credentials = givenNames({ Cookie: "sid=right" }, "?key=k%2Fk");
  expect([...credentials]).toEqual(["cookie", "cookie sid", "query key"]);
  const why = (names: string[]): string | undefined => {
    const parameters = names.map(cookieParameter);
    const endpoint: Endpoint = { method: "GET", path: "/", carries: "parameters", parameters };
    return skipUnwritable(endpoint, { cookie: { theme: "dark" } }, credentials)?.why;
  };
  expect(why(["theme"])).toBeUndefined();
  expect(why(["theme", "sid"])).toMatch(/the cookie sid is given/);
});

it("keeps the cookies of parameters in a request without the correct credentials", () => {
  const request = { method: "GET", path: "/", headers: { cookie: "sid=right; theme=dark" }, body: null } as const;
  const credentials = { own: { Cookie: "sid=right" }, profile: {}, search: "" };
  const requests = unauthorizedRequests(request, [{ in: "cookie", name: "sid" }], credentials);
  expect(requests.map((unauthorized) => unauthorized.request.headers.cookie)).toEqual([
    "theme=dark",
    "theme=dark; sid=wrong-credentials-of-a-test",
    "theme=dark; sid=",
  ]);
});
