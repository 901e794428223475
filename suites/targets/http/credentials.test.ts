import { describe, expect, it } from "vitest";
import { type CredentialPlace, type Endpoint, TargetBreach } from "../../../schemas/index.ts";
import type { Request, Response } from "../../http/send.ts";
import { credentialCheck } from "./credentials.ts";

const json = { "content-type": "application/json" };
const right: Response = { status: 200, headers: json, body: "{}" };
const refused: Response = { status: 401, headers: json, body: "{}" };

interface Server {
  own?: Record<string, string>;
  search?: string;
  method?: Endpoint["method"];
  parameters?: Endpoint["parameters"];
  answer?: (request: Request) => Response;
  real?: Response | undefined;
  /** What is wrong with a refusal. */
  wrong?: TargetBreach;
}

/** What is found at a server that answers so, and what it was sent. */
async function found(
  place: CredentialPlace,
  server: Server,
): Promise<{ message: string | undefined; sent: Request[] }> {
  const { own = {}, search = "", method = "GET", parameters = [], answer = () => right, wrong } = server;
  const sent: Request[] = [];
  const ask = async (request: Request): Promise<Response> => {
    sent.push(request);
    return answer(request);
  };
  const check = credentialCheck({
    own,
    profile: {},
    search,
    ask,
    judge: { breach: async ({ status }) => (status === 401 ? wrong : undefined) },
  });
  const described = {
    answers: [],
    rule: "A-ANSWER-001",
    credentials: [],
    security: { rule: "A-SECURITY-001", places: [place] },
  };
  const route: Endpoint = { method, path: "/a", parameters, described };
  const request: Request = {
    method,
    path: `/a${search}`,
    headers: { ...json, ...lower(own), "x-id": "1" },
    body: null,
  };
  const real = "real" in server ? server.real : right;
  const signal = AbortSignal.timeout(60_000);
  const breach = await check.breach(route, request, signal, real);
  const count = sent.length;
  expect(await check.breach(route, request, signal, real)).toBe(breach);
  if (real !== undefined || breach !== undefined) expect(sent).toHaveLength(count);
  return { message: breach && `${breach.level} ${breach.rule} ${breach.message}`, sent };
}

/** As they are sent. */
const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const bearer: CredentialPlace = { in: "header", name: "authorization", scheme: "bearer" };
const own = { authorization: "Bearer right" };

describe("a server that demands credentials", () => {
  it("is found when it accepts a request without them", async () => {
    const { message, sent } = await found(bearer, { own });
    expect(message).toBe(
      "MUST A-SECURITY-001 GET /a without credentials is answered with HTTP 200, and the document demands bearer credentials (tried once, and counted for each accepted request of the operation)",
    );
    expect(sent).toEqual([{ method: "GET", path: "/a", headers: { ...json, "x-id": "1" }, body: null }]);
  });

  it.each<[string, CredentialPlace, Server, (request: Request) => string | undefined]>([
    ["a bearer token", bearer, { own }, ({ headers }) => headers.authorization],
    [
      "basic",
      { ...bearer, scheme: "basic" },
      { own: { authorization: "Basic eA==" } },
      ({ headers }) => headers.authorization,
    ],
    [
      "a key in a header",
      { in: "header", name: "X-Key" },
      { own: { "x-key": "right" } },
      ({ headers }) => headers["x-key"],
    ],
    [
      "a key in a cookie",
      { in: "cookie", name: "sid" },
      { own: { cookie: "a=1; sid=right" } },
      ({ headers }) => headers.cookie,
    ],
    ["a key in the query", { in: "query", name: "key" }, { search: "?key=right" }, ({ path }) => path.split("?")[1]],
  ])("is found when it accepts any: %s", async (_, place, server, shown) => {
    const answer = (request: Request): Response => (shown(request) === undefined ? refused : right);
    const { message, sent } = await found(place, { ...server, answer });
    expect(message).toMatch(/GET \/a with wrong credentials is answered with HTTP 200/);
    expect(sent.map(shown)).toEqual([undefined, expect.stringMatching(/wrong|^Basic d3Jvbmc/)]);
    expect(JSON.stringify(sent)).not.toContain("right");
  });

  it("is found when it accepts those that are meant for other operations", async () => {
    const key: CredentialPlace = { in: "header", name: "X-Key" };
    const both = { ...own, "X-Key": "right" };
    const answer = ({ headers }: Request): Response => (headers.authorization === undefined ? refused : right);
    const { message, sent } = await found(key, { own: both, answer });
    expect(message).toBe(
      'MUST A-SECURITY-001 GET /a with none but the other headers that were given is answered with HTTP 200, and the document demands "X-Key" in the header (tried once, and counted for each accepted request of the operation)',
    );
    expect(sent.map(({ headers }) => headers["x-key"])).toEqual([undefined, undefined]);
    const one = ({ headers }: Request): Response => (headers["x-key"] === "right" ? right : refused);
    expect((await found(key, { own: both, answer: one })).message).toBeUndefined();
  });

  it("is asked before something is deleted, and again as long as nothing is shown", async () => {
    expect((await found(bearer, { own, method: "DELETE", real: undefined })).message).toMatch(/DELETE \/a without/);
    const { message, sent } = await found(bearer, { own, method: "DELETE", real: undefined, answer: () => refused });
    expect([message, sent.length]).toEqual([undefined, 4]);
  });

  it("is found when it refuses otherwise than described, unless it lets somebody in as well", async () => {
    const wrong = new TargetBreach("A-HEADER-001", "www-authenticate is missing", "MUST");
    expect((await found(bearer, { own, wrong, answer: () => refused })).message).toBe(
      "MUST A-HEADER-001 GET /a without credentials is answered with HTTP 401: www-authenticate is missing",
    );
    const lets = ({ headers }: Request) => (headers.authorization === undefined ? refused : right);
    expect((await found(bearer, { own, wrong, answer: lets })).message).toMatch(/^MUST A-SECURITY-001/);
    const slight = new TargetBreach("A-STATUS-001", "not documented", "SHOULD");
    expect((await found(bearer, { own, wrong: slight, answer: () => refused })).message).toBeUndefined();
  });

  it.each<[string, Server]>([
    ["it refuses, whatever the status", { own, answer: () => ({ ...refused, status: 404 }) }],
    ["it redirects", { own, answer: () => ({ ...right, status: 302 }) }],
    [
      "it fails",
      {
        own,
        answer: () => {
          throw new Error("no connection");
        },
      },
    ],
    ["it shows a page to log in at", { own, answer: () => ({ ...right, headers: { "content-type": "text/html" } }) }],
    ["no credentials were given", {}],
    ["others were given than those that are described", { own: { "x-key": "right" } }],
    [
      "a parameter is the credential",
      { own, parameters: [{ in: "header", name: "Authorization", style: "simple", explode: false }] },
    ],
  ])("is not accused where %s", async (_, server) => {
    expect((await found(bearer, server)).message).toBeUndefined();
  });
});
