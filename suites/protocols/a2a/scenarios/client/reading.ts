import type { Json, JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { type ErrorName, errors } from "../../errors.ts";
import {
  answerCorrectly,
  type ClientVisit,
  errorAnswer,
  errorBody,
  frameEvent,
  itemText,
  makeTask,
  makeUpdate,
  overEachBinding,
  paramsFor,
  reportIn,
  runOperation,
} from "./story.ts";
import type { SeenCall, StubAnswer } from "./stub.ts";

/** Adds an unknown member to each object in a value. */
function withUnknownMembers(value: Json): Json {
  if (Array.isArray(value)) return value.map(withUnknownMembers);
  if (value === null || typeof value !== "object") return value;
  const members = Object.entries(value).map(([name, member]) => [name, withUnknownMembers(member as Json)]);
  return { ...Object.fromEntries(members), xTouchstone: { is: ["new"] } };
}

async function checkUnknownMembers(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const extendCard = (card: JsonObject): JsonObject => withUnknownMembers(card) as JsonObject;
  const answerWithUnknown = async (call: SeenCall, card: JsonObject): Promise<StubAnswer> => {
    const answer = await answerCorrectly(call, card);
    if ("result" in answer) return { result: withUnknownMembers(answer.result) };
    if (!("pieces" in answer)) return answer;
    const events = [{ task: makeTask("SUBMITTED") }, makeUpdate("COMPLETED")];
    return { pieces: events.map((event) => frameEvent(itemText(call, withUnknownMembers(event) as JsonObject))) };
  };
  for (const [subject, settings] of [
    ["its card", { card: extendCard }],
    ["its answers", { answer: answerWithUnknown }],
  ] as const) {
    const agent = await visit.stub(settings);
    const report = await runOperation(context, agent, "SendMessage");
    visit.expect(
      "A2A-JSON-011",
      report.error === undefined,
      `unknown members in ${subject} are refused: ${report.brief}`,
    );
    if (!context.has("stream")) continue;
    const { error, items, brief } = await runOperation(context, agent, "SendStreamingMessage");
    const why = `unknown members in ${subject} are refused in a stream: ${brief}`;
    visit.expect("A2A-JSON-011", error === undefined && items.length >= 2, why);
  }
}

/** Makes the items of a stream that delivers these texts, each as a separate artifact. */
function itemsWith(call: SeenCall, texts: readonly string[]): string[] {
  const partsOf = (text: string): Json[] => [{ text }];
  const [first = "", ...others] = texts.map((text, index) => ({
    artifactUpdate: {
      taskId: "task-1",
      contextId: "ctx-1",
      artifact: { artifactId: `a-${index}`, parts: partsOf(text) },
    },
  }));
  const events: JsonObject[] = [
    { task: makeTask("SUBMITTED") },
    ...(first === "" ? [] : [first]),
    ...others,
    makeUpdate("COMPLETED"),
  ];
  return events.map((event) => itemText(call, event));
}

const expectedTexts = ["first words", "the \u{1f309} is open", "one\u2028two\u0085three"];

/** Different spellings of the same event stream. All of them are valid. */
const spellings: readonly [what: string, write: (texts: readonly string[]) => (string | Uint8Array)[]][] = [
  ["written as usual", (texts) => texts.map(frameEvent)],
  ["without a space after the colon", (texts) => texts.map((text) => `data:${text}\n\n`)],
  ["with lines that end in CRLF", (texts) => texts.map((text) => `data: ${text}\r\n\r\n`)],
  ["with comments between", (texts) => [": hello\n\n", ...texts.map((text) => `: still here\n${frameEvent(text)}`)]],
  [
    "with the fields id, event and retry",
    (texts) => texts.map((text, index) => `id: ${index}\nevent: message\nretry: 1000\n${frameEvent(text)}`),
  ],
  [
    "with data on several lines",
    (texts) =>
      texts.map((text) => {
        const lines = JSON.stringify(JSON.parse(text), null, 1).split("\n");
        return `${lines.map((line) => `data: ${line}`).join("\n")}\n\n`;
      }),
  ],
  ["in pieces that end within characters", (texts) => cutTexts(texts.map(frameEvent).join(""))],
  ["all in one piece", (texts) => [texts.map(frameEvent).join("")]],
  ["without an empty line after the last event", (texts) => [...texts.map(frameEvent), ': goodbye\ndata: {"cut": ']],
];

/** Cuts a text within its multi-byte characters. */
function cutTexts(text: string): Uint8Array[] {
  const bytes = Buffer.from(text);
  const ends = [...bytes.keys()].filter(
    (index) => ((bytes[index] ?? 0) & 0xc0) === 0x80 && ((bytes[index - 1] ?? 0) & 0xc0) === 0xc0,
  );
  return [0, ...ends].map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

async function checkStreamForms(visit: ClientVisit): Promise<void> {
  for (const [spelling, writeStream] of spellings) {
    const agent = await visit.stub({ answer: (call) => ({ pieces: writeStream(itemsWith(call, expectedTexts)) }) });
    const { error, items, brief } = await runOperation(visit.context, agent, "SendStreamingMessage");
    const texts = items.map((item) => JSON.stringify(item));
    const isRead = expectedTexts.every((expectedText) =>
      texts.some((text) => text.includes(JSON.stringify(expectedText).slice(1, -1))),
    );
    const isComplete = isRead && texts.some((text) => text.includes("COMPLETED"));
    const fault = isComplete ? "makes the client fail, although it reports every item" : "is not read";
    visit.expect("A2A-STREAM-017", error === undefined && isComplete, `a stream ${spelling} ${fault}: ${brief}`);
  }
}

/** Lists the failures of a stream, in the form of the binding. */
function failuresFor(call: SeenCall): [what: string, answer: StubAnswer][] {
  const { binding, id = null } = call;
  const body = errorBody(call, "Internal");
  const text = JSON.stringify(binding === "JSONRPC" ? { jsonrpc: "2.0", id, error: body } : { error: body });
  const firstFrames = [{ task: makeTask("SUBMITTED") }, makeUpdate("WORKING")].map((event) =>
    frameEvent(itemText(call, event)),
  );
  return [
    ["an error in JSON instead of a stream", errorAnswer(call, "TaskNotFound")],
    [
      "an error as the only item of a stream",
      { pieces: [binding === "JSONRPC" ? frameEvent(text) : `event: error\n${frameEvent(text)}`] },
    ],
    [
      "an error within a stream",
      { pieces: [...firstFrames, binding === "JSONRPC" ? frameEvent(text) : `event: error\n${frameEvent(text)}`] },
    ],
    ["a stream that breaks while its task works", { pieces: firstFrames, breaks: true }],
  ];
}

const failureIndices = [0, 1, 2, 3];

/** From this index on, the stream fails after its beginning. A client may then read the task instead of reporting the failure. */
const firstLateFailure = 2;

async function checkFailures(visit: ClientVisit): Promise<void> {
  for (const index of failureIndices) {
    let failureName = "";
    const agent = await visit.stub({
      answer(call, card) {
        // A client may send other requests after the stream is cut.
        if (call.operation !== "SendStreamingMessage")
          return call.operation === "SubscribeToTask"
            ? errorAnswer(call, "UnsupportedOperation")
            : answerCorrectly(call, card);
        const [name, answer] = failuresFor(call)[index] as [string, StubAnswer];
        failureName = name;
        return answer;
      },
    });
    const { error, brief } = await runOperation(visit.context, agent, "SendStreamingMessage");
    const isFollowed = agent.calls.some(({ operation }) => operation === "GetTask");
    if (failureName === "") continue;
    const isReported = error !== undefined || (index >= firstLateFailure && isFollowed);
    visit.expect("A2A-STREAM-018", isReported, `${failureName} is reported as ${brief}`);
  }
}

const a2aErrors = Object.keys(errors).filter((name) => errors[name as ErrorName].reason !== undefined) as ErrorName[];

/** Returns a reported error without its message, to compare two reports. */
function withoutMessage(error: JsonObject): string {
  const { message: _, ...facts } = error;
  return JSON.stringify(facts);
}

async function checkErrorReports(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  const reports = new Map<string, ErrorName>();
  for (const name of a2aErrors) {
    const agent = await visit.stub({ answer: (call) => errorAnswer(call, name) });
    const { error, brief } = await runOperation(context, agent, "SendMessage");
    visit.expect("A2A-ERR-009", error !== undefined, `${name}Error is reported as ${brief}`);
    if (error === undefined) continue;
    const earlierError = reports.get(withoutMessage(error));
    visit.expect(
      "A2A-ERR-009",
      earlierError === undefined,
      `${name}Error is reported like ${earlierError}Error: ${brief}`,
    );
    reports.set(withoutMessage(error), name);
  }
  const oddAnswers: [what: string, answer: (call: SeenCall) => StubAnswer][] = [
    [
      "HTTP 502 with a web page",
      () => ({ status: 502, headers: { "content-type": "text/html" }, text: "<h1>Bad gateway</h1>" }),
    ],
    ["HTTP 503 without a body", () => ({ status: 503, text: "" })],
    [
      "an error of an unknown code",
      ({ binding, id = null }) => {
        const error = { code: binding === "JSONRPC" ? -32098 : 418, status: "TEAPOT", message: "No." };
        return binding === "JSONRPC"
          ? { text: JSON.stringify({ jsonrpc: "2.0", id, error }) }
          : { status: 418, text: JSON.stringify({ error }) };
      },
    ],
  ];
  for (const [answerName, answer] of oddAnswers) {
    const { error, brief } = await runOperation(context, await visit.stub({ answer }), "SendMessage");
    visit.expect("A2A-ERR-009", error !== undefined, `${answerName} is reported as ${brief}`);
  }
  if (visit.binding === "JSONRPC") await checkNullIdErrors(visit);
  const { error, brief } = await runOperation(context, await visit.stub(), "SendMessage");
  visit.expect("A2A-ERR-009", error === undefined, `after errors a valid answer is reported as ${brief}`);
}

/** Checks errors with the id null: they mean that the agent could not parse the request. */
async function checkNullIdErrors(visit: ClientVisit): Promise<void> {
  const reports: string[] = [];
  for (const name of ["JSONParse", "InvalidRequest"] as const) {
    const answer = (call: SeenCall): StubAnswer => errorAnswer({ ...call, id: null }, name);
    const { error, brief } = await runOperation(visit.context, await visit.stub({ answer }), "SendMessage");
    visit.expect("A2A-ERR-009", error !== undefined, `${name}Error with the id null is reported as ${brief}`);
    reports.push(withoutMessage(error ?? {}));
  }
  const why = `errors with the id null are reported alike, despite different codes: ${reports[0]}`;
  visit.expect("A2A-ERR-009", reports[0] !== reports[1], why, "SHOULD");
}

/** How many times a client reads a task before it is completed. */
const readsBeforeDone = 2;

async function checkAuthorization(visit: ClientVisit): Promise<void> {
  const { context } = visit;
  let readCount = 0;
  const agent = await visit.stub({
    answer(call, card) {
      const { operation, params } = call;
      if (operation === "SendMessage") return { result: { task: makeTask("AUTH_REQUIRED") } };
      if (operation === "GetTask") {
        readCount += 1;
        return {
          result: makeTask(readCount > readsBeforeDone ? "COMPLETED" : "AUTH_REQUIRED", { id: params.id ?? "task-1" }),
        };
      }
      if (operation !== "SubscribeToTask") return answerCorrectly(call, card);
      const events = [{ task: makeTask("AUTH_REQUIRED") }, makeUpdate("WORKING"), makeUpdate("COMPLETED")];
      return { pieces: events.map((event) => frameEvent(itemText(call, event))) };
    },
  });
  const params = paramsFor(context, "SendMessage");
  const { error, brief } = reportIn(await context.hook("follow", { url: agent.url, params }), "follow", "task");
  const isFollowed = agent.calls.some(({ operation }) =>
    ["GetTask", "SubscribeToTask", "CreateTaskPushNotificationConfig"].includes(String(operation)),
  );
  const why = `a task waits for a credential and then completes, but the client reports ${brief}`;
  visit.expect("A2A-AUTH-010", isFollowed && (error !== undefined || brief.includes("COMPLETED")), why);
}

export const readingScenarios: readonly Scenario[] = [
  overEachBinding({
    name: "client-unknown-members",
    says: "unknown members are ignored",
    rules: ["A2A-JSON-011"],
    play: checkUnknownMembers,
  }),
  overEachBinding({
    name: "client-streams",
    waits: 6000,
    says: "a stream is read in every valid spelling of its events",
    rules: ["A2A-STREAM-017"],
    hooks: ["call", "stream"],
    play: checkStreamForms,
  }),
  overEachBinding({
    name: "client-failed-streams",
    says: "a stream that fails is reported as a failure",
    rules: ["A2A-STREAM-018"],
    hooks: ["call", "stream"],
    play: checkFailures,
  }),
  overEachBinding({
    name: "client-errors",
    says: "the errors of the protocol are distinguished, and others are handled",
    rules: ["A2A-ERR-009"],
    play: checkErrorReports,
  }),
  overEachBinding({
    name: "client-authorization",
    says: "a task that waits for a credential is followed",
    rules: ["A2A-AUTH-010"],
    hooks: ["call", "follow"],
    play: checkAuthorization,
  }),
];
