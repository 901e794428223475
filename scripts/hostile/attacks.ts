import { gzipSync } from "node:zlib";
import type { Attack, AttackAnswers } from "./attack.ts";

/** The secrets that the attacks configure in every possible place. Our output must never contain one. */
export const secrets = ["tok/en+of<the>target", "pass word of the address", "query-value-of-the-address"] as const;

const refusedRun = { codes: [1, 3], within: 20 };
const json = { "content-type": "application/json" };
const zipBomb = gzipSync(Buffer.alloc(64 * 2 ** 20));

const refusal =
  (body: (header: string) => string): AttackAnswers =>
  ({ headers }, response) => {
    response.writeHead(400, json).end(body(String(headers.authorization)));
  };

const modules: Attack[] = [
  {
    name: "leaks memory without end",
    by: { module: "const kept = []; export default () => { for (;;) kept.push(new Array(1e6).fill({})); };" },
    vectors: "one",
    options: ["--timeout", "60000"],
    expected: { codes: [1, 3], outcomes: ["errored"], within: 60, memory: 500 * 2 ** 20 },
    isLarge: true,
  },
  {
    name: "leaks memory that the engine does not count",
    by: { module: "const kept = []; export default () => { for (;;) kept.push(Buffer.alloc(1e8, 1)); };" },
    vectors: "one",
    options: ["--timeout", "60000"],
    expected: { codes: [1, 3], outcomes: ["errored"], within: 60, memory: 500 * 2 ** 20 },
    isLarge: true,
  },
  {
    name: "is blocked in a call to another program",
    by: {
      module: `import { execSync } from "node:child_process"; export default () => { execSync("sleep 4321"); return true; };`,
    },
    vectors: "one",
    expected: { codes: [1, 3], outcomes: ["timed-out"], within: 20 },
  },
  {
    name: "loops without end, and is interrupted",
    by: { module: "export default () => { working(); for (;;); };" },
    vectors: "all",
    options: ["--timeout", "60000"],
    signal: "SIGINT",
    expected: { codes: [3], within: 20 },
  },
  {
    name: "starts a program that remains when we are killed",
    by: {
      module: `import { spawn } from "node:child_process"; spawn("sleep", ["4321"]); export default () => (working(), new Promise(() => {}));`,
    },
    vectors: "all",
    options: ["--timeout", "60000"],
    signal: "SIGKILL",
    expected: { codes: [undefined], within: 20, hasNoReport: true },
  },
  {
    name: "writes to stdout and to the channel of its answers",
    by: {
      module: `import { writeSync } from "node:fs"; let turn = 0;
        export default () => {
          turn += 1;
          writeSync(1, "##[error]INJECTED\\n");
          if (turn === 2) writeSync(4, "garbage\\n");
          if (turn === 3) writeSync(4, '{"said":[[1,null],[2,{"valid":"yes"}]]}\\n');
          return true;
        };`,
    },
    expected: { codes: [1], outcomes: ["conforms", "errored"], within: 30 },
  },
  {
    name: "throws an object that cannot be inspected",
    by: {
      module: `const fail = () => { throw 1; }; const trap = { get: fail, getPrototypeOf: fail, ownKeys: fail, has: fail };
        export default () => { throw new Proxy({}, trap); };`,
    },
    expected: { codes: [1, 3], outcomes: ["errored"], within: 30 },
  },
  {
    name: "returns values that are too long, too deep, or not JSON",
    by: {
      module: `const deep = (n) => { let a = []; for (; n > 0; n -= 1) a = [a]; return a; };
        const codes = ["x".repeat(3e6), NaN, Infinity, -0, Symbol.iterator, deep(5000)]; let turn = 0;
        export default () => ({ valid: false, errors: [
          { at: "/x", code: codes[turn++ % codes.length], message: "\\u009b31m##[error]\\u202e" },
          { path: deep(5000) }, { path: new Array(1e5).fill("a".repeat(100)) }, ...new Array(1e4).fill("more") ] });`,
    },
    expected: { codes: [1], outcomes: ["violates"], within: 20, memory: 600 * 2 ** 20 },
  },
  {
    name: "falls silent after its first answers",
    by: { module: "let turn = 0; export default () => (turn += 1) < 3 || new Promise(() => {});" },
    options: ["--timeout", "300"],
    expected: { codes: [1, 3], outcomes: ["timed-out"], within: 30 },
  },
];

const commands: Attack[] = [
  {
    name: "writes a line without end",
    by: { command: `read -r hello; echo '{"ready":true}'; yes | tr -d '\\n'` },
    vectors: "one",
    options: ["--timeout", "60000"],
    expected: { codes: [1, 3], outcomes: ["errored"], within: 30, memory: 700 * 2 ** 20 },
  },
  {
    name: "answers with extremely nested JSON",
    by: {
      command: `node -e 'console.log(JSON.stringify({ready:true})); const deep = "[".repeat(4e6) + "]".repeat(4e6); process.stdin.on("data", () => console.log("{\\"seq\\":1,\\"valid\\":false,\\"errors\\":" + deep + "}"))'`,
    },
    vectors: "one",
    expected: { codes: [1, 3], within: 40 },
  },
  {
    name: "names itself like a command of a build system",
    by: {
      command: `node -e 'console.log(JSON.stringify({ready:true,name:"##vso[task.complete]##teamcity[x]::error::\\u202e"})); require("readline").createInterface({input:process.stdin}).on("line",(line)=>{const {seq}=JSON.parse(line);if(seq)console.log(JSON.stringify({seq,valid:true}))})'`,
    },
    expected: { codes: [0, 1], within: 20 },
  },
];

const servers: Attack[] = [
  {
    name: "returns the credentials with JSON escapes",
    by: {
      server: refusal((header) => {
        const units = Array.from(header, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
        return `{"error":{"code":"validation_error","message":"${units}"}}`;
      }),
    },
    expected: refusedRun,
  },
  {
    name: "returns the credentials in base64, in hexadecimal and percent-encoded",
    by: {
      server: refusal((header) =>
        JSON.stringify({
          error: {
            code: "validation_error",
            message: [
              Buffer.from(header).toString("base64"),
              Buffer.from(header).toString("hex"),
              encodeURIComponent(header),
              header.toUpperCase(),
            ].join(" "),
          },
        }),
      ),
    },
    expected: refusedRun,
  },
  {
    name: "returns the credentials in two parts",
    by: {
      server: refusal((header) =>
        JSON.stringify({ error: { code: "validation_error", message: header.slice(7, 15), path: header.slice(15) } }),
      ),
    },
    expected: refusedRun,
  },
  {
    name: "returns the address in a header, and the credentials in a header name",
    by: {
      server: ({ url, headers }, response) => {
        response
          .writeHead(500, { "x-url": String(url), [encodeURIComponent(String(headers.authorization))]: "1" })
          .end(url);
      },
    },
    expected: refusedRun,
  },
  {
    name: "answers without end",
    by: {
      server: (_, response) => {
        response.writeHead(400, json);
        const writeMore = (error?: Error | null): void => {
          if (!error) response.write(Buffer.alloc(65_536, 32), (failed) => setImmediate(writeMore, failed));
        };
        writeMore();
      },
    },
    expected: { ...refusedRun, outcomes: ["errored"], memory: 600 * 2 ** 20 },
  },
  {
    name: "answers with a compressed body that expands to 64 MiB",
    by: {
      server: (_, response) => {
        response.writeHead(400, { ...json, "content-encoding": "gzip" }).end(zipBomb);
      },
    },
    expected: { ...refusedRun, outcomes: ["errored"], memory: 600 * 2 ** 20 },
  },
  {
    name: "answers with numbers and nesting beyond the limits of JSON parsers",
    by: {
      server: refusal(() => `{"error":{"code":1e400,"message":${"[".repeat(1e5)}${"]".repeat(1e5)},"path":-0}}`),
    },
    expected: refusedRun,
  },
  {
    name: "refuses for reasons that do not concern the document",
    by: {
      server: (_, response, turn) => {
        response.writeHead([402, 406, 411, 413, 415, 417, 421, 425, 428, 431, 451][turn % 11] as number).end();
      },
    },
    expected: { ...refusedRun, outcomes: ["errored"] },
  },
  {
    name: "falls silent after its first answers",
    by: {
      server: (_, response, turn) => {
        if (turn < 10) response.writeHead(202, json).end("{}");
      },
    },
    vectors: "all",
    options: ["--timeout", "400"],
    expected: { codes: [1, 3], outcomes: ["timed-out"], within: 40 },
  },
  {
    name: "breaks every connection in the middle of an answer",
    by: {
      server: (_, response) => {
        response.writeHead(202, { ...json, "content-length": "100" });
        response.write("{", () => response.socket?.resetAndDestroy());
      },
    },
    expected: { ...refusedRun, outcomes: ["errored"] },
  },
];

const environment: Attack[] = [
  {
    name: "a full disk behind standard output",
    by: { reference: "reject-all" },
    options: ["--report", "json"],
    output: "/dev/full",
    expected: { codes: [1], outcomes: ["violates"], within: 20 },
  },
  {
    name: "a full disk behind standard output, if all conform",
    by: { module: "export default () => true;" },
    options: ["--report", "json"],
    output: "/dev/full",
    expected: { codes: [2], outcomes: ["conforms"], within: 20 },
  },
  {
    name: "a full disk behind one of the reports",
    by: { module: "export default () => true;" },
    options: ["--report", "jsonl=/dev/full"],
    expected: { codes: [2], outcomes: ["conforms"], within: 20 },
  },
  {
    name: "the terminal is closed",
    by: { module: "export default () => (working(), new Promise(() => {}));" },
    vectors: "all",
    options: ["--timeout", "60000"],
    signal: "SIGHUP",
    expected: { codes: [3], within: 20 },
  },
];

export const attacks: readonly Attack[] = [...modules, ...commands, ...servers, ...environment];
