import { request } from "undici";
import { isObject, type Json, type JsonObject, jsonOf, type Scenario } from "../../../../schemas/index.ts";
import { withCredential } from "../../../base/http/identity.ts";
import { type CallResult, describeAnswer, isError, isInvalid, isServerFault, readAnswer, wireCall } from "./calls.ts";
import { type A2aParty, listIn } from "./party.ts";
import { blockingOptions, idFor, makeMessage, openingRecipes, recipeMessage, taskIn, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, openStream } from "./visit.ts";

/** Sends a message, and keeps the letter case of the header names. */
async function callWithHeaders(
  visit: InterfaceVisit,
  headers: Record<string, string | string[]>,
  params: JsonObject,
): Promise<CallResult> {
  const { context, endpoint } = visit;
  const { url = "", headers: settingHeaders = {}, credentials = {} } = context.setting;
  const wire = wireCall(endpoint, "SendMessage", params, "v-1");
  const callerHeaders =
    credentials.a === undefined ? settingHeaders : withCredential(settingHeaders, credentials.a).headers;
  const body = JSON.stringify(wire.body);
  context.record({
    from: "touchstone",
    to: "target",
    head: `${wire.method} ${wire.path} ${JSON.stringify(headers)}`,
    text: body,
  });
  const answer = await request(`${url.replace(/\/$/, "")}${wire.path}`, {
    method: wire.method as "POST",
    headers: { ...callerHeaders, ...wire.headers, ...headers },
    body,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(30_000)]),
  });
  const text = await answer.body.text();
  context.record({ from: "target", to: "touchstone", head: `HTTP ${answer.statusCode}`, text });
  const answerHeaders = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
  );
  return readAnswer(endpoint.binding, { status: answer.statusCode, headers: answerHeaders, text, json: jsonOf(text) });
}

/** Whether any interface in the card offers version 0.3. */
function offersOlderVersion({ party }: InterfaceVisit): boolean {
  const versions = listIn(party.card.supportedInterfaces).map((agentInterface) =>
    String((agentInterface as JsonObject | null)?.protocolVersion),
  );
  return versions.some((version) => version.startsWith("0."));
}

async function checkUnsupportedVersions(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const makeParams = (): JsonObject => ({ message: makeMessage(context) });
  for (const version of ["99.0", "0.1", "2.0"]) {
    for (const answer of [
      await visit.call("SendMessage", makeParams(), { version }),
      await visit.call("GetTask", { id: unknownId(context) }, { version }),
    ])
      visit.expect(
        "A2A-VER-002",
        isError(answer, "VersionNotSupported"),
        `version ${version} is not offered, and is answered with ${describeAnswer(answer)}`,
      );
    if (!party.hasStreaming) continue;
    const stream = await openStream(visit, "SendStreamingMessage", makeParams(), { version });
    const isRefused = stream.answer !== undefined && isError(stream.answer, "VersionNotSupported");
    visit.expect(
      "A2A-VER-002",
      isRefused || isRefusedInside(stream),
      `version ${version} is not offered, and a stream is served`,
    );
    stream.cut();
  }
}

/** Whether a stream returned only an error. Does not wait for the items of an open stream. */
function isRefusedInside({ items, isStream }: Awaited<ReturnType<typeof openStream>>): boolean {
  return isStream && items.length > 0 && items.every(({ response }) => response === undefined);
}

/** Describes the first member in the form of version 0.3 in a result; undefined if there is none. Ignores user data. */
function findOlderForm(value: Json | undefined, path = ""): string | undefined {
  if (Array.isArray(value)) return findFirstOlderForm(value.entries(), path);
  if (!isObject(value)) return undefined;
  const { kind, state, role } = value;
  if (typeof kind === "string") return `the member kind "${kind}" at ${path === "" ? "its root" : path}`;
  for (const [name, member] of Object.entries({ state, role }))
    if (typeof member === "string" && /^[a-z]/.test(member)) return `the ${name} "${member}" at ${path}`;
  const protocolMembers = Object.entries(value).filter(([name]) => name !== "data" && name !== "metadata");
  return findFirstOlderForm(protocolMembers, path);
}

function findFirstOlderForm(
  members: Iterable<readonly [string | number, Json | undefined]>,
  path: string,
): string | undefined {
  for (const [name, member] of members) {
    const olderForm = findOlderForm(member, `${path}/${name}`);
    if (olderForm !== undefined) return olderForm;
  }
  return undefined;
}

/** Sends requests of version 1.0, after a request of 0.3 if the address also offers that version. */
async function checkAnswerVersion(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  if (endpoint.binding === "JSONRPC" && offersOlderVersion(visit)) {
    const message = {
      kind: "message",
      messageId: idFor(context),
      role: "user",
      parts: [{ kind: "text", text: "Hello" }],
    };
    const body = { jsonrpc: "2.0", id: "f-1", method: "message/send", params: { message } };
    await visit.call("SendMessage", {}, { version: null, body });
  }
  const expectNewForm = (operation: string, answer: CallResult): void => {
    const olderForm = findOlderForm(answer.result);
    visit.expect(
      "A2A-VER-006",
      olderForm === undefined,
      `${operation} of version 1.0 is answered with ${olderForm}, as in 0.3`,
    );
    const isUnknown = isError(answer, "MethodNotFound", "VersionNotSupported");
    visit.expect("A2A-VER-006", !isUnknown, `${operation} of version 1.0 is answered with ${describeAnswer(answer)}`);
  };
  for (const name of openingRecipes(context)) {
    const sendAnswer = await visit.call(
      "SendMessage",
      { message: recipeMessage(context, name) },
      blockingOptions(visit),
    );
    expectNewForm("SendMessage", sendAnswer);
    const task = taskIn(sendAnswer);
    if (task === undefined) continue;
    expectNewForm("GetTask", await visit.call("GetTask", { id: task.id as Json }));
    break;
  }
  expectNewForm("ListTasks", await visit.call("ListTasks", { pageSize: 2 }));
}

async function checkEmptyVersion(visit: InterfaceVisit): Promise<void> {
  for (const version of ["", null]) {
    const answer = await visit.call("SendMessage", { message: makeMessage(visit.context) }, { version });
    const versionName = version === null ? "no version" : "an empty version";
    if (offersOlderVersion(visit)) {
      visit.expect(
        "A2A-VER-003",
        !isServerFault(answer),
        `${versionName} makes the server fail: ${describeAnswer(answer)}`,
      );
      continue;
    }
    if (answer.error === undefined) {
      const why = `${versionName} means 0.3, which is not offered, but is served`;
      visit.expect("A2A-VER-003", false, why, version === null ? "SHOULD" : "MUST");
    } else {
      const isExpectedError = isError(answer, "VersionNotSupported", "MethodNotFound");
      visit.expect(
        "A2A-VER-003",
        isExpectedError,
        `${versionName} means 0.3, which is not offered, and is answered with ${describeAnswer(answer)}`,
      );
    }
  }
}

async function checkPatchVersions(visit: InterfaceVisit): Promise<void> {
  const send = (version: string): Promise<CallResult> =>
    visit.call("SendMessage", { message: makeMessage(visit.context) }, { version });
  const patchAnswer = await send("1.0.1");
  if (patchAnswer.error === undefined) visit.expect("A2A-VER-004", true, "");
  else {
    const isRefusal = isError(patchAnswer, "VersionNotSupported") || isInvalid(patchAnswer);
    visit.expect(
      "A2A-VER-004",
      false,
      `version 1.0.1 is answered with ${describeAnswer(patchAnswer)}`,
      isRefusal ? "SHOULD" : "MUST",
    );
  }
  for (const version of ["v1.0", "one"]) {
    const answer = await send(version);
    const isRefusal = isError(answer, "VersionNotSupported") || isInvalid(answer);
    const why = `"${version}" is not a version, and is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-VER-004", isRefusal, why, isServerFault(answer) ? "MUST" : "SHOULD");
  }
}

async function checkHeaderCase(visit: InterfaceVisit): Promise<void> {
  const plainAnswer = await visit.call("SendMessage", { message: makeMessage(visit.context) });
  const extensionHeaders =
    visit.party.requiredExtensions.length > 0 ? { "A2A-Extensions": visit.party.requiredExtensions.join(",") } : {};
  if (plainAnswer.error !== undefined) {
    // The usual request has the header name in lower case.
    const usualAnswer = await callWithHeaders(
      visit,
      { "A2A-Version": "1.0", ...extensionHeaders },
      { message: makeMessage(visit.context) },
    );
    if (usualAnswer.error !== undefined) throw notShown(`the usual request is refused: ${describeAnswer(plainAnswer)}`);
  }
  for (const name of ["a2a-version", "A2A-VERSION", "A2a-Version"]) {
    const answer = await callWithHeaders(
      visit,
      { [name]: "1.0", ...extensionHeaders },
      { message: makeMessage(visit.context) },
    );
    visit.expect(
      "A2A-VER-009",
      answer.error === undefined,
      `the header ${name} is not read: ${describeAnswer(answer)}`,
    );
  }
}

async function checkVersionInQuery(visit: InterfaceVisit): Promise<void> {
  const callOptions = { version: null, query: "?A2A-Version=1.0" };
  const answer = await visit.call("SendMessage", { message: makeMessage(visit.context) }, callOptions);
  visit.expect(
    "A2A-VER-007",
    answer.error === undefined,
    `the version in the query is not read: ${describeAnswer(answer)}`,
    "SHOULD",
  );
}

async function checkExtensionHeader(visit: InterfaceVisit): Promise<void> {
  const [uri = ""] = visit.party.requiredExtensions;
  const requiredUris = visit.party.requiredExtensions.join(",");
  const unknownUri = "https://touchstone.example/extensions/none/v1";
  const spellings: Record<string, Record<string, string | string[]>> = {
    "in lower case": { "a2a-extensions": requiredUris },
    "after a comma without a space": { "A2A-Extensions": `${unknownUri},${requiredUris}` },
    "after a comma and a space": { "A2A-Extensions": `${unknownUri}, ${requiredUris}` },
  };
  for (const [spelling, headers] of Object.entries(spellings)) {
    const answer = await callWithHeaders(
      visit,
      { "A2A-Version": "1.0", ...headers },
      { message: makeMessage(visit.context) },
    );
    visit.expect(
      "A2A-EXT-005",
      answer.error === undefined,
      `the extension ${uri} ${spelling} is not found: ${describeAnswer(answer)}`,
    );
  }
  const twoHeaders = { "A2A-Version": "1.0", "A2A-Extensions": [unknownUri, ...visit.party.requiredExtensions] };
  const answer = await callWithHeaders(visit, twoHeaders, { message: makeMessage(visit.context) });
  visit.expect(
    "A2A-EXT-005",
    answer.error === undefined,
    `a second header line is not read: ${describeAnswer(answer)}`,
    "SHOULD",
  );
}

async function checkRequiredExtensions(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const servedAnswer = await visit.call("SendMessage", { message: makeMessage(context) });
  visit.expect(
    "A2A-EXT-002",
    servedAnswer.error === undefined,
    `a message with the required extensions is refused: ${describeAnswer(servedAnswer)}`,
  );
  const otherVersions = party.requiredExtensions.map((uri) => `${uri.replace(/\/v\d+$/, "")}/v999`).join(",");
  for (const [rule, extensions] of [
    ["A2A-EXT-002", null],
    ["A2A-EXT-004", otherVersions],
  ] as const) {
    const answer = await visit.call("SendMessage", { message: makeMessage(context) }, { extensions });
    const why = `a message ${extensions === null ? "without the required extension" : `with ${extensions} alone`} is answered with ${describeAnswer(answer)}`;
    const isRefusal = rule === "A2A-EXT-004" && answer.error !== undefined;
    visit.expect(rule, isError(answer, "ExtensionSupportRequired"), why, isRefusal ? "SHOULD" : "MUST");
  }
  if (!party.hasStreaming) return;
  const stream = await openStream(
    visit,
    "SendStreamingMessage",
    { message: makeMessage(context) },
    { extensions: null },
  );
  const isRefused = stream.answer !== undefined && isError(stream.answer, "ExtensionSupportRequired");
  if (stream.isStream) await stream.read(1, 5000);
  visit.expect(
    "A2A-EXT-002",
    isRefused || isRefusedInside(stream),
    "a stream without the required extension is served",
  );
  stream.cut();
}

async function checkUnknownExtension(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const uri = "https://touchstone.example/extensions/none/v1";
  const extensions = [...party.requiredExtensions, uri].join(",");
  const answer = await visit.call("SendMessage", { message: makeMessage(context) }, { extensions });
  const plainAnswer = await visit.call("SendMessage", { message: makeMessage(context) });
  if (plainAnswer.error !== undefined) throw notShown(`the usual request is refused: ${describeAnswer(plainAnswer)}`);
  visit.expect(
    "A2A-EXT-003",
    answer.error === undefined,
    `a request that names an unknown extension is refused: ${describeAnswer(answer)}`,
  );
  for (const { reply, evidence } of [answer, plainAnswer]) {
    const activatedUris = (reply.headers["a2a-extensions"] ?? "")
      .split(",")
      .map((activatedUri) => activatedUri.trim())
      .filter((activatedUri) => activatedUri !== "");
    const unknownUri = activatedUris.find((activatedUri) => !party.knownExtensions.includes(activatedUri));
    visit.expect(
      "A2A-EXT-006",
      unknownUri === undefined,
      `the answer claims to use ${unknownUri}, which is not in the card`,
      evidence,
    );
  }
  const unrequestedUris = (plainAnswer.reply.headers["a2a-extensions"] ?? "")
    .split(",")
    .map((activatedUri) => activatedUri.trim());
  const unrequestedUri = unrequestedUris.find(
    (activatedUri) => activatedUri !== "" && !party.requiredExtensions.includes(activatedUri),
  );
  visit.expect(
    "A2A-EXT-006",
    unrequestedUri === undefined,
    `the answer claims to use ${unrequestedUri}, which was not requested`,
  );
}

const mustRequireExtension = ({ requiredExtensions }: A2aParty): void => {
  if (requiredExtensions.length === 0) throw notShown("its card requires no extension");
};

export const versionScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "version-not-offered",
    says: "a version that is not offered is refused",
    rules: ["A2A-VER-002"],
    play: checkUnsupportedVersions,
  }),
  atEachInterface({
    name: "version-kept",
    says: "a request of version 1.0 is answered in 1.0",
    rules: ["A2A-VER-006"],
    play: checkAnswerVersion,
  }),
  atEachInterface({
    name: "version-empty",
    says: "a request without a version has version 0.3",
    rules: ["A2A-VER-003"],
    play: checkEmptyVersion,
  }),
  atEachInterface({
    name: "version-patch",
    says: "patch numbers are ignored, and malformed versions are refused",
    rules: ["A2A-VER-004"],
    play: checkPatchVersions,
  }),
  atEachInterface({
    name: "version-header",
    says: "the header name is case-insensitive",
    rules: ["A2A-VER-009"],
    play: checkHeaderCase,
  }),
  atEachInterface({
    name: "version-query",
    says: "the version may be in the query",
    rules: ["A2A-VER-007"],
    play: checkVersionInQuery,
  }),
  atEachInterface({
    name: "extension-unknown",
    says: "an unknown extension is ignored, and the answer claims to use none that was not requested",
    rules: ["A2A-EXT-003", "A2A-EXT-006"],
    play: checkUnknownExtension,
  }),
  atEachInterface({
    name: "extension-required",
    says: "a message without a required extension is refused",
    rules: ["A2A-EXT-002", "A2A-EXT-004"],
    when: mustRequireExtension,
    play: checkRequiredExtensions,
  }),
  atEachInterface({
    name: "extension-header",
    says: "the extensions header is read as a list, in any spelling",
    rules: ["A2A-EXT-005"],
    when: mustRequireExtension,
    play: checkExtensionHeader,
  }),
];
