import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example, type Result } from "../../../schemas/index.ts";
import { hider, secretsIn } from "../../base/secrets/index.ts";
import { describeCall } from "../../results/command-line.ts";
import { boundResult } from "../../results/reason-text.ts";
import { called } from "./calls.fixture.ts";
import { differing, type Row } from "./row.fixture.ts";

const exchange = {
  request: { method: "POST", url: "http://a/x", headers: { "content-type": "a" }, body: '{"type":"message"}' },
  response: { status: 400, headers: { "x-said": "response" }, body: '{"error":"rejected"}' },
};
const whole: Result = {
  ...{ id: "sample/1.0/message/invalid/response", kind: "vector", document: "message", description: "a message" },
  ...{
    verdict: "invalid",
    level: "MUST",
    rule: "S-A-001",
    outcome: "errored",
    stage: "connect",
    why: "rejected: no message",
  },
  answer: { verdict: "rejected", reasons: [{ at: "/a", code: "rejected", message: "no message" }], exchange },
  exchanges: [exchange],
  trace: [{ from: "message", to: "response", text: "request" }],
};

const words = [
  "message",
  "response",
  "request",
  "rejected",
  "accepted",
  "verdict",
  "outcome",
  "headers",
  "errored",
  "connect",
  "must",
  "post",
  "invalid",
  "vector",
  "sample",
];
const bare = ({ answer, trace, ...others }: Result): unknown => [
  ...[others.id, others.kind, others.document, others.verdict, others.level, others.rule, others.outcome, others.stage],
  ...[
    answer?.verdict,
    Object.keys(answer?.exchange ?? {}),
    answer?.exchange?.request.method,
    trace?.map(({ from, to }) => [from, to]),
  ],
];

const spoilt = words.flatMap((word): Row[] =>
  [word, word.toUpperCase()].map((secret, at) => ({
    kind: "reports that hiding would spoil",
    name: `${secret} is a secret`,
    async play() {
      const shown = boundResult(whole, hider([secret]));
      return differing([["what the report says of itself", bare(shown), bare(whole)]]);
    },
    ...(at === 1 ? { isLarge: true as const } : {}),
  })),
);

const secret = "tok/en+of the=target";
const base64 = Buffer.from(secret).toString("base64");
const half = Math.floor(secret.length / 2);
const units = (write: (code: string) => string): string =>
  Array.from(secret, (unit) => write(unit.charCodeAt(0).toString(16).padStart(2, "0"))).join("");

/** Ways in which a server gives the secret back. */
const disguises: Record<string, string> = {
  "as it is": secret,
  "in upper case": secret.toUpperCase(),
  "in base64": base64,
  "in base64url": Buffer.from(secret).toString("base64url"),
  "in base64, in lines": base64.replace(/.{8}/g, "$&\r\n"),
  "in base64, in lines, escaped": JSON.stringify(base64.replace(/.{8}/g, "$&\n")).slice(1, -1),
  "in hexadecimal": Buffer.from(secret).toString("hex"),
  "as a component of an address": encodeURIComponent(secret),
  "as a form has it": encodeURIComponent(secret).replaceAll("%20", "+"),
  "in percent, each": units((code) => `%${code}`),
  "in percent, twice": encodeURIComponent(encodeURIComponent(secret)),
  "in JSON, each unit": units((code) => `\\u00${code}`),
  "in JSON, twice": JSON.stringify(units((code) => `\\u00${code}`)),
  "in HTML, by number": units((code) => `&#x${code};`),
  "in HTML, by name": secret
    .replaceAll("/", "&sol;")
    .replaceAll("+", "&plus;")
    .replaceAll(" ", "&nbsp;")
    .replaceAll("=", "&equals;"),
  "cut at its end": `said ${secret.slice(0, 12)}…`,
  "cut at its beginning": `…${secret.slice(6)} it said`,
  "cut at its end by a target": `said ${secret.slice(0, 12)}...`,
  "its beginning alone": secret.slice(0, 14),
  "its end alone": secret.slice(7),
  "its middle, among others": `no <${secret.slice(3, 17)}> there`,
  "cut within an escape": `said ${units((code) => `\\u00${code}`).slice(0, 45)}…`,
};
/** The longest part of it that may be left. */
const leastPart = 5;

/** Where it is put. */
const places: Record<string, (said: string) => Partial<Result>> = {
  "a message": (said) => ({ answer: { verdict: "rejected", reasons: [{ message: `no: ${said}` }] } }),
  "a code and a path": (said) => ({ answer: { verdict: "rejected", reasons: [{ at: `/${said}`, code: said }] } }),
  "a header": (said) => ({ exchanges: [{ ...exchange, response: { ...exchange.response, headers: { a: said } } }] }),
  "the name of a header": (said) => ({
    exchanges: [{ ...exchange, response: { ...exchange.response, headers: { [said]: "a" } } }],
  }),
  "a body": (said) => ({
    exchanges: [{ ...exchange, response: { ...exchange.response, body: JSON.stringify({ a: [said] }) } }],
  }),
  "an address": (said) => ({ exchanges: [{ ...exchange, request: { ...exchange.request, url: `http://a/${said}` } }] }),
  "a trace": (said) => ({ trace: [{ from: "a", to: "b", text: said }] }),
  "a sentence": (said) => ({ why: said }),
};

const shownPart = (text: string): string[] => {
  const plain = [
    text,
    text.replace(/\\+u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  const parts = Array.from({ length: secret.length - leastPart }, (_, at) => secret.slice(at, at + leastPart + 1));
  const isThere = plain.some((each) => parts.some((part) => each.toLowerCase().includes(part.toLowerCase())));
  return isThere || text.includes(base64.slice(2, 12)) ? [`it shows ${text.slice(0, 300)}`] : [];
};

const disguised = Object.entries(disguises).flatMap(([how, said], first) =>
  Object.entries(places).map(
    ([where, put], second): Row => ({
      kind: "secrets in disguise",
      name: `${how}, in ${where}`,
      async play() {
        const { why, ...others } = whole;
        return shownPart(JSON.stringify(boundResult({ ...others, why: why ?? "", ...put(said) }, hider([secret]))));
      },
      ...((first + second) % 4 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

const spread: Record<string, Partial<Result>> = {
  "two headers": {
    exchanges: [
      { ...exchange, response: { ...exchange.response, headers: { a: secret.slice(0, half), b: secret.slice(half) } } },
    ],
  },
  "two headers, turned round": {
    exchanges: [
      { ...exchange, response: { ...exchange.response, headers: { a: secret.slice(half), b: secret.slice(0, half) } } },
    ],
  },
  "three members, in any order": {
    exchanges: [
      {
        ...exchange,
        response: {
          ...exchange.response,
          body: JSON.stringify({ c: secret.slice(14), a: secret.slice(0, 7), b: secret.slice(7, 14) }),
        },
      },
    ],
  },
  "a name and its value": {
    exchanges: [
      { ...exchange, response: { ...exchange.response, headers: { [secret.slice(0, half)]: secret.slice(half) } } },
    ],
  },
  "reasons among others": {
    answer: {
      verdict: "rejected",
      reasons: [{ message: `and ${secret.slice(half)}` }, { code: "a" }, { message: `${secret.slice(0, half)} and` }],
    },
  },
};

const inParts = Object.entries(spread).map(
  ([where, more]): Row => ({
    kind: "secrets in disguise",
    name: `spread over ${where}`,
    play: async () => shownPart(JSON.stringify(boundResult({ ...whole, ...more }, hider([secret])))),
  }),
);

const umlauts = "päss-wörd-71";
const octets = Buffer.from(umlauts);
const misread: Record<string, string> = {
  "UTF-8 taken for Latin-1": octets.toString("latin1"),
  "in base64 of Latin-1": Buffer.from(umlauts, "latin1").toString("base64"),
  "what is not ASCII replaced": umlauts.replace(/[äö]/g, "?"),
  "what is not ASCII left out": umlauts.replace(/[äö]/g, ""),
  "octets replaced": octets.toString("latin1").replace(/[^ -~]/g, "_"),
  "in percent of Latin-1": escape(umlauts),
};
const misreadRows = Object.entries(misread).map(
  ([how, said]): Row => ({
    kind: "secrets in disguise",
    name: `a password with umlauts, ${how}`,
    async play() {
      const shown = hider([umlauts]).text(`it was ${said} there`);
      return shown === "it was [redacted] there" ? [] : [`it shows ${shown}`];
    },
  }),
);

const spellings = [
  "http://user-name:pass-word@h/",
  "http://user-name:x@h/",
  "http://user-name@h/",
  " http://user-name:pass-word@h/",
  "ht\ttp://user-name:pass-word@h/",
  "http:\\\\user-name:pass-word@h\\a",
  "http:user-name:pass-word@h",
  "http:/user-name:pass-word@h",
  "HTTPS://user-name:pass-word@h",
  "http://h/?pass-word",
  "http://h/?a=1&pass-word",
  "http://h/?pass-word=",
  "http://h/#a=pass-word",
  "http:///user-name:pass-word@h",
].map(
  (url): Row => ({
    kind: "secrets in disguise",
    name: `the address ${JSON.stringify(url)}`,
    async play() {
      const known = secretsIn({ url });
      const own = ["user-name", "pass-word"].filter((each) => url.includes(each));
      const text = JSON.stringify(describeCall({ protocol: "sample", target: { kind: "http", url } }));
      const hidden = hider(known).text(`it was ${own.join(" and ")}`);
      return own.flatMap((each) => [text, hidden].flatMap((said) => (said.includes(each) ? [`it shows ${said}`] : [])));
    },
  }),
);

/** Members of a configuration that have another form than they must, and perhaps a secret. */
const configured: Record<string, object> = {
  "an address without a scheme": { target: { kind: "http", url: "user:pass-word9@h" } },
  "an address of another scheme": { target: { kind: "http", url: "ftp://user:pass-word9@h/" } },
  "an address without an authority": { target: { kind: "http", url: "https//user:pass-word9@h" } },
  "a key for an address": { target: { kind: "http", url: "pass-word9" } },
  "an address for a target": { target: "http://user:pass-word9@h/" },
  "an address for a hook": { hooks: { clock: "http://user:pass-word9@h/" } },
  "the address of a hook": { hooks: { clock: { http: { url: "//user:pass-word9@h/" } } } },
  "the address of the receiver": { receiver: { url: "user:pass-word9@h" } },
  "a header for a list": { target: { kind: "http", url: "http://h", headers: "Authorization: pass-word9" } },
  "a key for a member": { "pass-word9": 1 },
  "an address for a member": { "http://user:pass-word9@h/": 1 },
  "a key for a member of a target": { target: { kind: "http", url: "http://h", "pass-word9": "Authorization" } },
  "a token for a number": { timeScale: "pass-word9" },
};
const configurations = Object.entries(configured).flatMap(([what, config]) =>
  ["json", "yaml"].map(
    (extension): Row => ({
      kind: "secrets in disguise",
      name: `${what}, in a configuration in ${extension}`,
      async play() {
        const own = mkdtempSync(join(tmpdir(), "touchstone-"));
        const file = `touchstone.config.${extension}`;
        try {
          writeFileSync(join(own, file), JSON.stringify({ protocol: example.protocol, ...config }));
          const { code, said } = await called(own, "run");
          return [
            ...(said.includes("pass-word9") ? [`it shows ${said.slice(0, 300)}`] : []),
            ...(code === 2 && said.includes(`${file}:1:`) ? [] : [`it ended with ${code}: ${said.slice(0, 300)}`]),
          ];
        } finally {
          rmSync(own, { recursive: true });
        }
      },
      ...(extension === "yaml" ? { isLarge: true as const } : {}),
    }),
  ),
);

export const secretRows: readonly Row[] = [
  ...[spoilt, disguised, inParts, misreadRows, spellings, configurations].flat(),
];
