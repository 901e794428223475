import { describe, expect, it } from "vitest";
import {
  type AnswerBreach,
  brokenRule,
  type CredentialPlace,
  type Endpoint,
  type UntestedRule,
} from "../../../schemas/index.ts";
import type { Request, Response } from "../../base/http/send.ts";
import { credentialCheck } from "./credentials.ts";

const json = { "content-type": "application/json" };
const right: Response = { status: 200, headers: json, body: "{}" };
const refused: Response = { status: 401, headers: json, body: "{}" };

interface Server {
  own?: Record<string, string>;
  search?: string;
  method?: Endpoint["method"];
  answer?: (request: Request) => Response;
  /** How often a request is sent; by default twice. */
  times?: number;
  /** The answer to the request itself. */
  real?: Response;
  /** The fault of a refusal. */
  wrong?: AnswerBreach;
}

/** Probes a server that answers like this. Returns the finding, and the requests that the server received. */
async function probe(
  place: CredentialPlace | CredentialPlace[],
  server: Server,
): Promise<{ message: string | undefined; sent: Request[]; untested: UntestedRule[] }> {
  const { own = {}, search = "", method = "GET", answer = () => right, real = right, wrong, times = 2 } = server;
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
    security: { rule: "A-SECURITY-001", places: [place].flat() },
  };
  const route: Endpoint = { method, path: "/a", described };
  const headers = { ...json, ...lower(own), "x-id": "1" };
  const request: Request = { method, path: `/a${search}`, headers, body: "0" };
  const signal = AbortSignal.timeout(60_000);
  const breachOfRequest = async (): Promise<AnswerBreach | undefined> => {
    const intrusion = check.of({ route, request, signal, another: (number) => ({ ...request, body: String(number) }) });
    await intrusion?.before();
    if (method === "DELETE") sent.push(request);
    return intrusion?.after(real);
  };
  const breach = await breachOfRequest();
  const count = sent.length;
  const untested = check.untested();
  const later = await breachOfRequest();
  for (let time = 2; time < times; time++) await breachOfRequest();
  // A request that is refused itself does not show an opening.
  if (real.status < 300) expect(later).toBe(breach);
  if (untested.length === 0 && method !== "DELETE") expect(sent).toHaveLength(count);
  return { message: breach && `${breach.level} ${breach.rule} ${breach.message}`, sent, untested };
}

/** Writes the names of headers in lower case, as they are sent. */
const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const bearer: CredentialPlace = { in: "header", name: "authorization", scheme: "bearer" };
const own = { authorization: "Bearer right" };

describe("a server that demands credentials", () => {
  it("is reported if it accepts a request without them", async () => {
    const { message, sent } = await probe(bearer, { own });
    expect(message).toBe(
      "MUST A-SECURITY-001 GET /a without credentials is answered with HTTP 200, and the document demands bearer credentials (tried once, and counted for each accepted request of the operation)",
    );
    expect(sent).toEqual([{ method: "GET", path: "/a", headers: { ...json, "x-id": "1" }, body: "1" }]);
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
  ])("is reported if it accepts any: %s", async (_, place, server, shown) => {
    const answer = (request: Request): Response => (shown(request) === undefined ? refused : right);
    const { message, sent } = await probe(place, { ...server, answer });
    expect(message).toMatch(/GET \/a with wrong credentials is answered with HTTP 200/);
    expect(sent.map(shown)).toEqual([undefined, expect.stringMatching(/wrong|^Basic d3Jvbmc/)]);
    expect(JSON.stringify(sent)).not.toContain("right");
  });

  it.each<[string, (authorization: string | undefined) => boolean]>([
    ["with empty credentials", (given) => given === "Bearer" || given === "Bearer right"],
    ["with the right credentials under another scheme", (given) => given?.split(" ")[1] === "right"],
    ["with the right credentials without their scheme", (given) => given?.replace("Bearer ", "") === "right"],
  ])("is reported if it accepts a request %s", async (changeOfCredential, isAccepted) => {
    const answer = ({ headers }: Request): Response => (isAccepted(headers.authorization) ? right : refused);
    expect((await probe(bearer, { own, answer })).message).toContain(
      `GET /a ${changeOfCredential} is answered with HTTP 200`,
    );
    const isRight = ({ headers }: Request): Response =>
      /^bearer right$/i.test(headers.authorization ?? "") ? right : refused;
    expect((await probe(bearer, { own: { authorization: "bearer right" }, answer: isRight })).message).toBeUndefined();
  });

  it("is reported for a later vector if the first ones ran out of time", async () => {
    const ask = async (_: Request, signal: AbortSignal): Promise<Response> => {
      signal.throwIfAborted();
      return right;
    };
    const check = credentialCheck({ own, profile: {}, search: "", ask, judge: { breach: async () => undefined } });
    const security = { rule: "A-SECURITY-001", places: [bearer] };
    const route: Endpoint = {
      method: "GET",
      path: "/a",
      described: { answers: [], rule: "A-ANSWER-001", credentials: [], security },
    };
    const request: Request = { method: "GET", path: "/a", headers: own, body: null };
    const search = (signal: AbortSignal): Promise<AnswerBreach | undefined> | undefined =>
      check.of({ route, request, signal, another: () => request })?.after(right);
    for (const _ of ["first", "second", "third", "fourth"]) {
      expect(await search(AbortSignal.abort())).toBeUndefined();
      expect(check.untested()).toHaveLength(1);
    }
    expect(await search(AbortSignal.timeout(60_000))).toMatchObject({ rule: "A-SECURITY-001", level: "MUST" });
    expect(check.untested()).toEqual([]);
  });

  it("is reported if it accepts credentials meant for other operations", async () => {
    const key: CredentialPlace = { in: "header", name: "X-Key" };
    const bothHeaders = { ...own, "X-Key": "right" };
    const answer = ({ headers }: Request): Response => (headers.authorization === undefined ? refused : right);
    const { message, sent } = await probe(key, { own: bothHeaders, answer });
    expect(message).toBe(
      'MUST A-SECURITY-001 GET /a with none but the other headers that were given is answered with HTTP 200, and the document demands "X-Key" in the header (tried once, and counted for each accepted request of the operation)',
    );
    expect(sent.map(({ headers }) => headers["x-key"])).toEqual([undefined, undefined]);
    const one = ({ headers }: Request): Response => (headers["x-key"] === "right" ? right : refused);
    expect((await probe(key, { own: bothHeaders, answer: one })).message).toBeUndefined();
  });

  it.each([
    ["the last character is left out", "Bearer righ"],
    ["more follows", "Bearer rightaaaa"],
  ])("is reported if it accepts a nearly right token: %s", async (_, nearToken) => {
    const answer = ({ headers }: Request): Response => (headers.authorization === nearToken ? right : refused);
    expect((await probe(bearer, { own, answer })).message).toMatch(
      /^MUST A-SECURITY-001 GET \/a with credentials that/,
    );
  });

  it("does not get a near miss that it may consider equal, as with a login, a cookie, or a token with padding", async () => {
    const nearbyCount = async (place: CredentialPlace, headers: Record<string, string>): Promise<number> =>
      (await probe(place, { own: headers, answer: () => refused })).sent.length;
    expect(await nearbyCount(bearer, own)).toBe(7);
    expect(await nearbyCount({ ...bearer, scheme: "basic" }, { authorization: "Basic eA" })).toBe(5);
    expect(await nearbyCount({ in: "cookie", name: "sid" }, { cookie: "sid=right.node1" })).toBe(3);
    expect(await nearbyCount(bearer, { authorization: "Bearer cmlnaHQ=" })).toBe(5);
  });

  it("is probed before a deletion, and again until an answer shows something", async () => {
    const method = "DELETE";
    const absent: Response = { status: 404, headers: {}, body: "" };
    const accepting = await probe(bearer, { own, method, real: absent });
    expect([accepting.message, accepting.sent.length]).toEqual([expect.stringMatching(/DELETE \/a without/), 3]);
    const none = await probe(bearer, { own, method, real: absent, answer: () => absent });
    expect([none.message, none.sent.length]).toEqual([undefined, 16]);
    expect(none.untested).toEqual([
      { rule: "A-SECURITY-001", why: "DELETE /a without credentials is answered with HTTP 404" },
    ]);
    for (const [real, answer] of [
      [absent, refused],
      [right, absent],
    ] as const) {
      const shown = await probe(bearer, { own, method, real, answer: () => answer });
      expect([shown.message, shown.sent.length, shown.untested]).toEqual([undefined, 9, []]);
    }
  });

  it("is probed with new values each time, since a server that knows a value refuses it from any sender", async () => {
    const seenKeys = new Set(["0"]);
    const acceptOnce = ({ body }: Request): Response => {
      const isKnown = seenKeys.has(String(body));
      seenKeys.add(String(body));
      return isKnown ? { ...refused, status: 409 } : right;
    };
    expect((await probe(bearer, { own, method: "POST", answer: acceptOnce })).message).toMatch(/^MUST A-SECURITY-001/);
  });

  it.each([409, 404, 410, 412, 503])(
    "is not shown to refuse if all requests get %i, even with the right credentials",
    async (status) => {
      const answer = (): Response => ({ ...refused, status });
      const { message, untested } = await probe(bearer, { own, method: "POST", answer });
      expect(message).toBeUndefined();
      expect((await probe(bearer, { own, method: "POST", answer, times: 9 })).sent.length).toBeLessThan(25);
      const why = `POST /a without credentials is answered with HTTP ${status}`;
      expect(untested).toEqual([{ rule: "A-SECURITY-001", why }]);
    },
  );

  it("is not shown to refuse a deletion by a status about the request", async () => {
    const invalid: Response = { ...refused, status: 400 };
    const { untested } = await probe(bearer, { own, method: "DELETE", real: invalid, answer: () => invalid });
    expect(untested).toHaveLength(1);
  });

  it("is reported if it accepts wrong credentials, even if its answer to a request without any shows nothing", async () => {
    const answer = ({ headers }: Request): Response =>
      headers.authorization === undefined ? { ...refused, status: 409 } : right;
    const { message, untested } = await probe(bearer, { own, method: "POST", answer });
    expect([message, untested]).toEqual([expect.stringMatching(/^MUST A-SECURITY-001/), []]);
  });

  it("is shown to refuse by any status if the right credentials are accepted again", async () => {
    const acceptRightOnly = ({ headers }: Request): Response =>
      headers.authorization === own.authorization ? right : { ...refused, status: 404 };
    expect(await probe(bearer, { own, method: "POST", answer: acceptRightOnly })).toMatchObject({ untested: [] });
    // A request that only reads changes nothing, so its first answer is enough.
    expect((await probe(bearer, { own, answer: () => ({ ...refused, status: 404 }) })).untested).toEqual([]);
  });

  it("is reported for refusing in an undescribed way, unless accepting a wrong request is reported instead", async () => {
    const wrong = brokenRule("A-HEADER-001", "www-authenticate is missing", "MUST");
    expect((await probe(bearer, { own, wrong, answer: () => refused })).message).toBe(
      "MUST A-HEADER-001 GET /a without credentials is answered with HTTP 401: www-authenticate is missing",
    );
    const lets = ({ headers }: Request) => (headers.authorization === undefined ? refused : right);
    expect((await probe(bearer, { own, wrong, answer: lets })).message).toMatch(/^MUST A-SECURITY-001/);
    const slight = brokenRule("A-STATUS-001", "not documented", "SHOULD");
    expect((await probe(bearer, { own, wrong: slight, answer: () => refused })).message).toBeUndefined();
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
    ["other credentials were given than the described ones", { own: { "x-key": "right" } }],
  ])("is not reported if %s", async (_, server) => {
    expect((await probe(bearer, server)).message).toBeUndefined();
  });
});

describe("each of several alternative credentials, sent alone,", () => {
  const key: CredentialPlace = { in: "header", name: "X-Key" };
  const bothHeaders = { authorization: "Bearer right", "X-Key": "k" };
  const has = ({ headers }: Request, name: string, value: string): boolean => headers[name] === value;
  const [isToken, isKey] = [
    (request: Request) => has(request, "authorization", "Bearer right"),
    (request: Request) => has(request, "x-key", "k"),
  ];
  const letIn = (isAccepted: boolean): Response => (isAccepted ? right : refused);

  it("is accepted by a correct server", async () => {
    const { message, sent, untested } = await probe([bearer, key], {
      own: bothHeaders,
      answer: (request) => letIn(isToken(request) || isKey(request)),
    });
    expect({ message, untested }).toEqual({ message: undefined, untested: [] });
    expect(sent.some((request) => isToken(request) && request.headers["x-key"] === undefined)).toBe(true);
    expect(sent.some((request) => isKey(request) && request.headers.authorization === undefined)).toBe(true);
  });

  it("gets a warning if it is refused, since its value may be wrong", async () => {
    const answer = (request: Request) => letIn(isToken(request) && isKey(request));
    expect((await probe([bearer, key], { own: bothHeaders, answer })).message).toMatch(
      /^SHOULD A-SECURITY-001 GET \/a with bearer credentials alone is answered with HTTP 401, and the document lets that do/,
    );
  });

  it("is listed as untested if it was not given", async () => {
    const answer = (request: Request) => letIn(isToken(request));
    expect((await probe([bearer, key], { own, answer })).untested).toEqual([
      { rule: "A-SECURITY-001", why: 'GET /a with "X-Key" in the header alone is not tried: it was not given' },
    ]);
  });
});

it("a server that accepts requests without the credentials that it demands is listed as untested if none were given", async () => {
  expect((await probe(bearer, {})).untested).toEqual([
    {
      rule: "A-SECURITY-001",
      why: "GET /a is accepted, and none of the credentials that the document demands were given",
    },
  ]);
});
