import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example, type Result } from "../../../schemas/index.ts";
import { createHider, secretsIn } from "../../base/secrets/index.ts";
import { describeCall } from "../../results/command-line.ts";
import { boundResult } from "../../results/reason-text.ts";
import { runOnce } from "./calls.fixture.ts";
import { type Attack, describeDifferences } from "./row.fixture.ts";

const exchange = {
  request: { method: "POST", url: "http://a/x", headers: { "content-type": "a" }, body: '{"type":"message"}' },
  response: { status: 400, headers: { "x-said": "response" }, body: '{"error":"rejected"}' },
};
const fullResult: Result = {
  id: "sample/1.0/message/invalid/response",
  kind: "vector",
  document: "message",
  description: "a message",
  verdict: "invalid",
  level: "MUST",
  rule: "S-A-001",
  outcome: "errored",
  stage: "connect",
  why: "rejected: no message",
  answer: { verdict: "rejected", reasons: [{ at: "/a", code: "rejected", message: "no message" }], exchange },
  exchanges: [exchange],
  trace: [{ from: "message", to: "response", text: "request" }],
};

const reportTerms = [
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
const reportFields = ({ answer, trace, ...commonFields }: Result): unknown => [
  commonFields.id,
  commonFields.kind,
  commonFields.document,
  commonFields.verdict,
  commonFields.level,
  commonFields.rule,
  commonFields.outcome,
  commonFields.stage,
  answer?.verdict,
  Object.keys(answer?.exchange ?? {}),
  answer?.exchange?.request.method,
  trace?.map(({ from, to }) => [from, to]),
];

const intactRows = reportTerms.flatMap((term): Attack[] =>
  [term, term.toUpperCase()].map((secret, index) => ({
    kind: "reports damaged by redaction",
    name: `${secret} is a secret`,
    async play() {
      const bounded = boundResult(fullResult, createHider([secret]));
      return describeDifferences([["fields of the report itself", reportFields(bounded), reportFields(fullResult)]]);
    },
    ...(index === 1 ? { isLarge: true as const } : {}),
  })),
);

const secret = "tok/en+of the=target";
const base64 = Buffer.from(secret).toString("base64");
const half = Math.floor(secret.length / 2);
const writeUnits = (write: (code: string) => string): string =>
  Array.from(secret, (unit) => write(unit.charCodeAt(0).toString(16).padStart(2, "0"))).join("");

/** Forms in which a server may return the secret. */
const disguises: Record<string, string> = {
  unchanged: secret,
  "in upper case": secret.toUpperCase(),
  "in base64": base64,
  "in base64url": Buffer.from(secret).toString("base64url"),
  "in base64, in lines": base64.replace(/.{8}/g, "$&\r\n"),
  "in base64, in lines, escaped": JSON.stringify(base64.replace(/.{8}/g, "$&\n")).slice(1, -1),
  "in hexadecimal": Buffer.from(secret).toString("hex"),
  "as a URI component": encodeURIComponent(secret),
  "form-encoded": encodeURIComponent(secret).replaceAll("%20", "+"),
  "percent-encoded, every character": writeUnits((code) => `%${code}`),
  "percent-encoded twice": encodeURIComponent(encodeURIComponent(secret)),
  "in JSON escapes": writeUnits((code) => `\\u00${code}`),
  "in JSON escapes, twice": JSON.stringify(writeUnits((code) => `\\u00${code}`)),
  "in HTML, by number": writeUnits((code) => `&#x${code};`),
  "in HTML, by name": secret
    .replaceAll("/", "&sol;")
    .replaceAll("+", "&plus;")
    .replaceAll(" ", "&nbsp;")
    .replaceAll("=", "&equals;"),
  "cut off at the end": `said ${secret.slice(0, 12)}…`,
  "cut off at the beginning": `…${secret.slice(6)} it said`,
  "cut off at the end, with three dots": `said ${secret.slice(0, 12)}...`,
  "only its beginning": secret.slice(0, 14),
  "only its end": secret.slice(7),
  "its middle, inside other text": `no <${secret.slice(3, 17)}> there`,
  "cut off within an escape": `said ${writeUnits((code) => `\\u00${code}`).slice(0, 45)}…`,
};
/** A report may show no longer part of the secret. */
const maxShownLength = 5;

/** Puts a leaked form of the secret into one part of a result. */
const places: Record<string, (leak: string) => Partial<Result>> = {
  "a message": (leak) => ({ answer: { verdict: "rejected", reasons: [{ message: `no: ${leak}` }] } }),
  "a code and a path": (leak) => ({ answer: { verdict: "rejected", reasons: [{ at: `/${leak}`, code: leak }] } }),
  "a header": (leak) => ({ exchanges: [{ ...exchange, response: { ...exchange.response, headers: { a: leak } } }] }),
  "the name of a header": (leak) => ({
    exchanges: [{ ...exchange, response: { ...exchange.response, headers: { [leak]: "a" } } }],
  }),
  "a body": (leak) => ({
    exchanges: [{ ...exchange, response: { ...exchange.response, body: JSON.stringify({ a: [leak] }) } }],
  }),
  "an address": (leak) => ({ exchanges: [{ ...exchange, request: { ...exchange.request, url: `http://a/${leak}` } }] }),
  "a trace": (leak) => ({ trace: [{ from: "a", to: "b", text: leak }] }),
  "a sentence": (leak) => ({ why: leak }),
};

/** Reports a text that shows a part of the secret, even as JSON escapes. */
const findLeak = (text: string): string[] => {
  const decodedTexts = [
    text,
    text.replace(/\\+u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
  ];
  const parts = Array.from({ length: secret.length - maxShownLength }, (_, index) =>
    secret.slice(index, index + maxShownLength + 1),
  );
  const isShown = decodedTexts.some((decodedText) =>
    parts.some((part) => decodedText.toLowerCase().includes(part.toLowerCase())),
  );
  return isShown || text.includes(base64.slice(2, 12)) ? [`it shows ${text.slice(0, 300)}`] : [];
};

const disguiseRows = Object.entries(disguises).flatMap(([disguise, disguisedSecret], disguiseIndex) =>
  Object.entries(places).map(
    ([place, putInto], placeIndex): Attack => ({
      kind: "secrets in disguise",
      name: `${disguise}, in ${place}`,
      async play() {
        const { why, ...commonFields } = fullResult;
        return findLeak(
          JSON.stringify(
            boundResult({ ...commonFields, why: why ?? "", ...putInto(disguisedSecret) }, createHider([secret])),
          ),
        );
      },
      ...((disguiseIndex + placeIndex) % 4 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

const spreadResults: Record<string, Partial<Result>> = {
  "two headers": {
    exchanges: [
      { ...exchange, response: { ...exchange.response, headers: { a: secret.slice(0, half), b: secret.slice(half) } } },
    ],
  },
  "two headers, in reverse order": {
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
  "two of three reasons": {
    answer: {
      verdict: "rejected",
      reasons: [{ message: `and ${secret.slice(half)}` }, { code: "a" }, { message: `${secret.slice(0, half)} and` }],
    },
  },
};

const spreadRows = Object.entries(spreadResults).map(
  ([parts, change]): Attack => ({
    kind: "secrets in disguise",
    name: `spread over ${parts}`,
    play: async () => findLeak(JSON.stringify(boundResult({ ...fullResult, ...change }, createHider([secret])))),
  }),
);

const password = "päss-wörd-71";
const utf8Bytes = Buffer.from(password);
const misreadings: Record<string, string> = {
  "UTF-8 decoded as Latin-1": utf8Bytes.toString("latin1"),
  "Latin-1 in base64": Buffer.from(password, "latin1").toString("base64"),
  "non-ASCII characters replaced": password.replace(/[äö]/g, "?"),
  "without its non-ASCII characters": password.replace(/[äö]/g, ""),
  "non-ASCII bytes replaced": utf8Bytes.toString("latin1").replace(/[^ -~]/g, "_"),
  "Latin-1, percent-encoded": escape(password),
};
const misreadRows = Object.entries(misreadings).map(
  ([spelling, misreading]): Attack => ({
    kind: "secrets in disguise",
    name: `a password with umlauts, ${spelling}`,
    async play() {
      const bounded = createHider([password]).text(`it was ${misreading} there`);
      return bounded === "it was [redacted] there" ? [] : [`it shows ${bounded}`];
    },
  }),
);

const addressRows = [
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
  (url): Attack => ({
    kind: "secrets in disguise",
    name: `the address ${JSON.stringify(url)}`,
    async play() {
      const secrets = secretsIn({ url });
      const sensitiveParts = ["user-name", "pass-word"].filter((part) => url.includes(part));
      const call = JSON.stringify(describeCall({ protocol: "sample", target: { kind: "http", url } }));
      const hiddenText = createHider(secrets).text(`it was ${sensitiveParts.join(" and ")}`);
      return sensitiveParts.flatMap((part) =>
        [call, hiddenText].flatMap((shownText) => (shownText.includes(part) ? [`it shows ${shownText}`] : [])),
      );
    },
  }),
);

/** Configurations with a malformed member that may contain a secret. */
const configurations: Record<string, object> = {
  "an address without a scheme": { target: { kind: "http", url: "user:pass-word9@h" } },
  "an address of another scheme": { target: { kind: "http", url: "ftp://user:pass-word9@h/" } },
  "an address without an authority": { target: { kind: "http", url: "https//user:pass-word9@h" } },
  "a key in place of an address": { target: { kind: "http", url: "pass-word9" } },
  "an address in place of a target": { target: "http://user:pass-word9@h/" },
  "an address in place of a hook": { hooks: { clock: "http://user:pass-word9@h/" } },
  "the address of a hook": { hooks: { clock: { http: { url: "//user:pass-word9@h/" } } } },
  "the address of the receiver": { receiver: { url: "user:pass-word9@h" } },
  "a header in place of a list": { target: { kind: "http", url: "http://h", headers: "Authorization: pass-word9" } },
  "a key as a member name": { "pass-word9": 1 },
  "an address as a member name": { "http://user:pass-word9@h/": 1 },
  "a key as a member name of a target": { target: { kind: "http", url: "http://h", "pass-word9": "Authorization" } },
  "a token in place of a number": { timeScale: "pass-word9" },
};
const configurationRows = Object.entries(configurations).flatMap(([name, config]) =>
  ["json", "yaml"].map(
    (extension): Attack => ({
      kind: "secrets in disguise",
      name: `${name}, in a configuration in ${extension}`,
      async play() {
        const newFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
        const file = `touchstone.config.${extension}`;
        try {
          writeFileSync(join(newFolder, file), JSON.stringify({ protocol: example.protocol, ...config }));
          const { code, output } = await runOnce(newFolder, "run");
          return [
            ...(output.includes("pass-word9") ? [`it shows ${output.slice(0, 300)}`] : []),
            ...(code === 2 && output.includes(`${file}:1:`) ? [] : [`it ended with ${code}: ${output.slice(0, 300)}`]),
          ];
        } finally {
          rmSync(newFolder, { recursive: true });
        }
      },
      ...(extension === "yaml" ? { isLarge: true as const } : {}),
    }),
  ),
);

export const secretRows: readonly Attack[] = [
  ...[intactRows, disguiseRows, spreadRows, misreadRows, addressRows, configurationRows].flat(),
];
