import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The schema of a request that calls a method with parameters of this schema. */
function requestOf(method: string, params: object): object {
  return {
    type: "object",
    required: ["jsonrpc", "id", "method", "params"],
    properties: {
      jsonrpc: { const: "2.0" },
      id: { type: ["string", "number", "null"] },
      method: { const: method },
      params: { type: "object", ...params, additionalProperties: false },
    },
  };
}

const box = { type: "string", minLength: 1, maxLength: 8 };

/** The message schemas of a JSON-RPC 2.0 protocol with two methods. */
export const definitions: Readonly<Record<string, object>> = {
  open: requestOf("open", { required: ["box"], properties: { box } }),
  fill: requestOf("fill", {
    required: ["box", "count"],
    properties: { box, count: { type: "integer", minimum: 1 } },
  }),
  opened: { type: "object", required: ["box"], properties: { box: { type: "string" } } },
  filled: { type: "object", required: ["full"], properties: { full: { type: "boolean" } } },
  failed: {
    type: "object",
    required: ["jsonrpc", "id", "error"],
    properties: {
      jsonrpc: { const: "2.0" },
      error: {
        type: "object",
        required: ["code", "message"],
        properties: { code: { type: "integer" }, message: { type: "string" } },
      },
    },
    not: { required: ["result"] },
  },
};

const answer = { id: "/id", at: "/result", refusal: "failed", type: "application/json", rule: "BOX-ANSWER-001" };

const profile = {
  protocol: "boxes",
  documents: [
    {
      name: "open",
      file: "schemas/boxes.json#/$defs/open",
      endpoint: "/rpc",
      answer: { ...answer, document: "opened" },
    },
    {
      name: "fill",
      file: "schemas/boxes.json#/$defs/fill",
      endpoint: "/rpc",
      answer: { ...answer, document: "filled" },
    },
    ...["opened", "filled", "failed"].map((name) => ({
      name,
      file: `schemas/boxes.json#/$defs/${name}`,
      role: "emitted",
    })),
  ].map((document) => ({
    ...document,
    ...(document.name === "open" || document.name === "fill" ? { when: { "/method": [document.name] } } : {}),
  })),
  http: {
    accepted: [{ status: [200], present: "/result" }, { status: [202, 204] }],
    rejected: [{ status: [200, 400], present: "/error" }],
    reason: { code: "/error/code", message: "/error/message", codes: [-32700, -32600, -32601, -32602] },
  },
};

const rules = `rules:
  BOX-ANSWER-001:
    statement: A response has the result of its method, or an error.
    clause: JSON-RPC 2.0, 5
  BOX-ID-001:
    statement: A response has the id of its request.
    clause: JSON-RPC 2.0, 5
    scenarios:
      echo:
        says: an id comes back, with its type
        steps:
          - each: { id: ["{{token}}", 7, "7"] }
            steps:
              - send: { path: /rpc, body: { jsonrpc: "2.0", id: "{{id}}", method: open, params: { box: red } } }
                expect: [{ rule: BOX-ID-001, status: [200], equal: { /id: "{{id}}", /jsonrpc: "2.0" } }]
  BOX-METHOD-001:
    statement: A method that is not there is answered with -32601.
    clause: JSON-RPC 2.0, 5.1
    scenarios:
      unknown-method:
        says: an unknown method is answered with its error
        steps:
          - send: { path: /rpc, body: { jsonrpc: "2.0", id: 1, method: no_such_method, params: {} } }
            expect: [{ rule: BOX-METHOD-001, equal: { /error/code: -32601, /id: 1 }, absent: [/result] }]
  BOX-PARSE-001:
    statement: A text that is not JSON is answered with -32700 and no id.
    clause: JSON-RPC 2.0, 5 and 5.1
    scenarios:
      broken-text:
        says: a broken text is answered with its error
        steps:
          - send: { path: /rpc, body: '{"jsonrpc": "2.0", "method": "open, "params": [' }
            expect: [{ rule: BOX-PARSE-001, equal: { /error/code: -32700, /id: null } }]
  BOX-NOTIFY-001:
    statement: A notification gets no response, not even an error.
    clause: JSON-RPC 2.0, 4.1
    scenarios:
      notification:
        says: a right notification and a wrong one get nothing
        steps:
          - each: { params: [{ box: red }, { box: 7 }] }
            steps:
              - send: { path: /rpc, body: { jsonrpc: "2.0", method: open, params: "{{params}}" } }
                expect: [{ rule: BOX-NOTIFY-001, absent: [/result, /error] }]
  BOX-BATCH-001:
    statement: A batch gets a response for each request, and none for a notification.
    clause: JSON-RPC 2.0, 6
    scenarios:
      batch:
        says: a batch of two requests and a notification has two responses
        steps:
          - send:
              path: /rpc
              body:
                - { jsonrpc: "2.0", id: "{{token}}", method: open, params: { box: red } }
                - { jsonrpc: "2.0", method: open, params: { box: red } }
                - { jsonrpc: "2.0", id: 2, method: fill, params: { box: red, count: 2 } }
            expect: [{ rule: BOX-BATCH-001, status: [200], present: [/0/result, /1/result], absent: [/2] }]
  BOX-BATCH-002:
    statement: An empty batch is answered with one error, -32600.
    clause: JSON-RPC 2.0, 6
    scenarios:
      empty-batch:
        says: an empty batch is an invalid request
        steps:
          - send: { path: /rpc, body: [] }
            expect: [{ rule: BOX-BATCH-002, equal: { /error/code: -32600 } }]
`;

/** Writes the pack, without vectors, into a folder. */
export function writePack(folder: string): void {
  for (const name of ["schemas", "rules"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "schemas", "boxes.json"), JSON.stringify({ $defs: definitions }, null, 2));
  writeFileSync(join(folder, "profile.json"), JSON.stringify(profile, null, 2));
  writeFileSync(join(folder, "rules", "rpc.yaml"), rules);
}
