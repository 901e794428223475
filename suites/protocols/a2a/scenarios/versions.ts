import { request } from "undici";
import { isObject, type Json, type JsonObject, jsonOf, type Scenario } from "../../../../schemas/index.ts";
import { withCredential } from "../../../base/http/identity.ts";
import { brief, type CallResult, isError, isInvalid, isServerFault, readAnswer, wireCall } from "./calls.ts";
import { listIn } from "./party.ts";
import { idFor, messageOf, openingRecipes, patient, recipe, taskIn, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, listen, notShown } from "./visit.ts";

/** Makes a call with headers in exactly this spelling. */
async function callSpelled(
  visit: InterfaceVisit,
  headers: Record<string, string | string[]>,
  params: JsonObject,
): Promise<CallResult> {
  const { context, endpoint } = visit;
  const { url = "", headers: given = {}, credentials = {} } = context.setting;
  const wire = wireCall(endpoint, "SendMessage", params, "v-1");
  const own = credentials.a === undefined ? given : withCredential(given, credentials.a).headers;
  const body = JSON.stringify(wire.body);
  context.record({
    from: "touchstone",
    to: "target",
    head: `${wire.method} ${wire.path} ${JSON.stringify(headers)}`,
    text: body,
  });
  const answer = await request(`${url.replace(/\/$/, "")}${wire.path}`, {
    method: wire.method as "POST",
    headers: { ...own, ...wire.headers, ...headers },
    body,
    signal: AbortSignal.any([context.signal, AbortSignal.timeout(30_000)]),
  });
  const text = await answer.body.text();
  context.record({ from: "target", to: "touchstone", head: `HTTP ${answer.statusCode}`, text });
  const said = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  return readAnswer(endpoint.binding, { status: answer.statusCode, headers: said, text, json: jsonOf(text) });
}

/** Whether the card offers 0.3, at any interface. */
function offersFormer({ party }: InterfaceVisit): boolean {
  const versions = listIn(party.card.supportedInterfaces).map((each) =>
    String((each as JsonObject | null)?.protocolVersion),
  );
  return versions.some((version) => version.startsWith("0."));
}

async function refusesVersions(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const message = (): JsonObject => ({ message: messageOf(context) });
  for (const version of ["99.0", "0.1", "2.0"]) {
    for (const observed of [
      await visit.call("SendMessage", message(), { version }),
      await visit.call("GetTask", { id: unknownId(context) }, { version }),
    ])
      visit.expect(
        "A2A-VER-002",
        isError(observed, "VersionNotSupported"),
        `version ${version} is not offered, and is answered with ${brief(observed)}`,
      );
    if (!party.streaming) continue;
    const heard = await listen(visit, "SendStreamingMessage", message(), { version });
    const isRefused = heard.observed !== undefined && isError(heard.observed, "VersionNotSupported");
    visit.expect(
      "A2A-VER-002",
      isRefused || isRefusedInside(heard),
      `version ${version} is not offered, and a stream is served`,
    );
    heard.cut();
  }
}

/** Whether a stream has returned only an error; items of an open one are not awaited. */
function isRefusedInside({ items, isStream }: Awaited<ReturnType<typeof listen>>): boolean {
  return isStream && items.length > 0 && items.every(({ said }) => said === undefined);
}

/** A shape of version 0.3 in a result, with its place; undefined if there is none. Data of users is not looked at. */
function formerIn(value: Json | undefined, path = ""): string | undefined {
  if (Array.isArray(value)) return firstFormer(value.entries(), path);
  if (!isObject(value)) return undefined;
  const { kind, state, role } = value;
  if (typeof kind === "string") return `the member kind "${kind}" at ${path === "" ? "its root" : path}`;
  for (const [name, each] of Object.entries({ state, role }))
    if (typeof each === "string" && /^[a-z]/.test(each)) return `the ${name} "${each}" at ${path}`;
  const own = Object.entries(value).filter(([name]) => name !== "data" && name !== "metadata");
  return firstFormer(own, path);
}

function firstFormer(
  members: Iterable<readonly [string | number, Json | undefined]>,
  path: string,
): string | undefined {
  for (const [name, each] of members) {
    const found = formerIn(each, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Sends requests of 1.0, at an address that offers 0.3 too after one of 0.3. */
async function staysInVersion(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  if (endpoint.binding === "JSONRPC" && offersFormer(visit)) {
    const message = {
      kind: "message",
      messageId: idFor(context),
      role: "user",
      parts: [{ kind: "text", text: "Hello" }],
    };
    const body = { jsonrpc: "2.0", id: "f-1", method: "message/send", params: { message } };
    await visit.call("SendMessage", {}, { version: null, body });
  }
  const judge = (operation: string, observed: CallResult): void => {
    const found = formerIn(observed.result);
    visit.expect("A2A-VER-006", found === undefined, `${operation} of version 1.0 is answered with ${found}, of 0.3`);
    const isUnknown = isError(observed, "MethodNotFound", "VersionNotSupported");
    visit.expect("A2A-VER-006", !isUnknown, `${operation} of version 1.0 is answered with ${brief(observed)}`);
  };
  for (const name of openingRecipes(context)) {
    const sent = await visit.call("SendMessage", { message: recipe(context, name) }, patient(visit));
    judge("SendMessage", sent);
    const task = taskIn(sent);
    if (task === undefined) continue;
    judge("GetTask", await visit.call("GetTask", { id: task.id as Json }));
    break;
  }
  judge("ListTasks", await visit.call("ListTasks", { pageSize: 2 }));
}

async function readsEmpty(visit: InterfaceVisit): Promise<void> {
  for (const version of ["", null]) {
    const observed = await visit.call("SendMessage", { message: messageOf(visit.context) }, { version });
    const named = version === null ? "no version" : "an empty version";
    if (offersFormer(visit)) {
      visit.expect("A2A-VER-003", !isServerFault(observed), `${named} makes the server fail: ${brief(observed)}`);
      continue;
    }
    if (observed.error === undefined) {
      const why = `${named} means 0.3, which is not offered, and is served`;
      visit.expect("A2A-VER-003", false, why, version === null ? "SHOULD" : "MUST");
    } else {
      const isRight = isError(observed, "VersionNotSupported", "MethodNotFound");
      visit.expect(
        "A2A-VER-003",
        isRight,
        `${named} means 0.3, which is not offered, and is answered with ${brief(observed)}`,
      );
    }
  }
}

async function readsPatches(visit: InterfaceVisit): Promise<void> {
  const send = (version: string): Promise<CallResult> =>
    visit.call("SendMessage", { message: messageOf(visit.context) }, { version });
  const patched = await send("1.0.1");
  if (patched.error === undefined) visit.expect("A2A-VER-004", true, "");
  else {
    const isNear = isError(patched, "VersionNotSupported") || isInvalid(patched);
    visit.expect("A2A-VER-004", false, `version 1.0.1 is answered with ${brief(patched)}`, isNear ? "SHOULD" : "MUST");
  }
  for (const version of ["v1.0", "one"]) {
    const observed = await send(version);
    const isRight = isError(observed, "VersionNotSupported") || isInvalid(observed);
    const why = `"${version}" is no version, and is answered with ${brief(observed)}`;
    visit.expect("A2A-VER-004", isRight, why, isServerFault(observed) ? "MUST" : "SHOULD");
  }
}

async function spellsNames(visit: InterfaceVisit): Promise<void> {
  const plain = await visit.call("SendMessage", { message: messageOf(visit.context) });
  const extra = visit.party.required.length > 0 ? { "A2A-Extensions": visit.party.required.join(",") } : {};
  if (plain.error !== undefined) {
    // The usual request has the name in small letters.
    const usual = await callSpelled(visit, { "A2A-Version": "1.0", ...extra }, { message: messageOf(visit.context) });
    if (usual.error !== undefined) throw notShown(`the usual request is refused: ${brief(plain)}`);
  }
  for (const name of ["a2a-version", "A2A-VERSION", "A2a-Version"]) {
    const observed = await callSpelled(visit, { [name]: "1.0", ...extra }, { message: messageOf(visit.context) });
    visit.expect("A2A-VER-009", observed.error === undefined, `the header ${name} is not read: ${brief(observed)}`);
  }
}

async function readsQuery(visit: InterfaceVisit): Promise<void> {
  const more = { version: null, query: "?A2A-Version=1.0" };
  const observed = await visit.call("SendMessage", { message: messageOf(visit.context) }, more);
  visit.expect(
    "A2A-VER-007",
    observed.error === undefined,
    `the version in the query is not read: ${brief(observed)}`,
    "SHOULD",
  );
}

async function listsExtensions(visit: InterfaceVisit): Promise<void> {
  const [uri = ""] = visit.party.required;
  const all = visit.party.required.join(",");
  const spare = "https://touchstone.example/extensions/none/v1";
  const ways: Record<string, Record<string, string | string[]>> = {
    "in lower case": { "a2a-extensions": all },
    "after a comma without a space": { "A2A-Extensions": `${spare},${all}` },
    "after a comma and a space": { "A2A-Extensions": `${spare}, ${all}` },
  };
  for (const [way, headers] of Object.entries(ways)) {
    const observed = await callSpelled(
      visit,
      { "A2A-Version": "1.0", ...headers },
      { message: messageOf(visit.context) },
    );
    visit.expect(
      "A2A-EXT-005",
      observed.error === undefined,
      `the extension ${uri} ${way} is not found: ${brief(observed)}`,
    );
  }
  const twice = { "A2A-Version": "1.0", "A2A-Extensions": [spare, ...visit.party.required] };
  const observed = await callSpelled(visit, twice, { message: messageOf(visit.context) });
  visit.expect(
    "A2A-EXT-005",
    observed.error === undefined,
    `a second header line is not read: ${brief(observed)}`,
    "SHOULD",
  );
}

async function demandsExtensions(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const served = await visit.call("SendMessage", { message: messageOf(context) });
  visit.expect(
    "A2A-EXT-002",
    served.error === undefined,
    `a message with the required extensions is refused: ${brief(served)}`,
  );
  const others = party.required.map((uri) => `${uri.replace(/\/v\d+$/, "")}/v999`).join(",");
  for (const [rule, extensions] of [
    ["A2A-EXT-002", null],
    ["A2A-EXT-004", others],
  ] as const) {
    const observed = await visit.call("SendMessage", { message: messageOf(context) }, { extensions });
    const why = `a message ${extensions === null ? "without the required extension" : `with ${extensions} alone`} is answered with ${brief(observed)}`;
    const isNear = rule === "A2A-EXT-004" && observed.error !== undefined;
    visit.expect(rule, isError(observed, "ExtensionSupportRequired"), why, isNear ? "SHOULD" : "MUST");
  }
  if (!party.streaming) return;
  const heard = await listen(visit, "SendStreamingMessage", { message: messageOf(context) }, { extensions: null });
  const isRefused = heard.observed !== undefined && isError(heard.observed, "ExtensionSupportRequired");
  if (heard.isStream) await heard.read(1, 5000);
  visit.expect("A2A-EXT-002", isRefused || isRefusedInside(heard), "a stream without the required extension is served");
  heard.cut();
}

async function passesUnknown(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const uri = "https://touchstone.example/extensions/none/v1";
  const extensions = [...party.required, uri].join(",");
  const observed = await visit.call("SendMessage", { message: messageOf(context) }, { extensions });
  const plain = await visit.call("SendMessage", { message: messageOf(context) });
  if (plain.error !== undefined) throw notShown(`the usual request is refused: ${brief(plain)}`);
  visit.expect(
    "A2A-EXT-003",
    observed.error === undefined,
    `a request that names an unknown extension is refused: ${brief(observed)}`,
  );
  for (const { reply, evidence } of [observed, plain]) {
    const echoed = (reply.headers["a2a-extensions"] ?? "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    const strange = echoed.find((each) => !party.known.includes(each));
    visit.expect(
      "A2A-EXT-006",
      strange === undefined,
      `the answer claims to use ${strange}, which is not in the card`,
      evidence,
    );
  }
  const unasked = (plain.reply.headers["a2a-extensions"] ?? "").split(",").map((each) => each.trim());
  const other = unasked.find((each) => each !== "" && !party.required.includes(each));
  visit.expect("A2A-EXT-006", other === undefined, `the answer claims to use ${other}, which was not requested`);
}

const requires = ({ required }: { required: readonly string[] }): void => {
  if (required.length === 0) throw notShown("its card requires no extension");
};

export const versions: readonly Scenario[] = [
  atEachInterface({
    name: "version-not-offered",
    says: "a version that is not offered is refused",
    rules: ["A2A-VER-002"],
    play: refusesVersions,
  }),
  atEachInterface({
    name: "version-kept",
    says: "a request of version 1.0 is answered in 1.0",
    rules: ["A2A-VER-006"],
    play: staysInVersion,
  }),
  atEachInterface({
    name: "version-empty",
    says: "a request without a version is one of 0.3",
    rules: ["A2A-VER-003"],
    play: readsEmpty,
  }),
  atEachInterface({
    name: "version-patch",
    says: "patch numbers do not count, and other texts are no versions",
    rules: ["A2A-VER-004"],
    play: readsPatches,
  }),
  atEachInterface({
    name: "version-header",
    says: "the name of the header may be written in any case",
    rules: ["A2A-VER-009"],
    play: spellsNames,
  }),
  atEachInterface({
    name: "version-query",
    says: "the version may be in the query",
    rules: ["A2A-VER-007"],
    play: readsQuery,
  }),
  atEachInterface({
    name: "extension-unknown",
    says: "an unknown extension is ignored, and the answer claims to use none that was not requested",
    rules: ["A2A-EXT-003", "A2A-EXT-006"],
    play: passesUnknown,
  }),
  atEachInterface({
    name: "extension-required",
    says: "a message without a required extension is refused",
    rules: ["A2A-EXT-002", "A2A-EXT-004"],
    when: requires,
    play: demandsExtensions,
  }),
  atEachInterface({
    name: "extension-header",
    says: "the header of extensions is a list, in any spelling",
    rules: ["A2A-EXT-005"],
    when: requires,
    play: listsExtensions,
  }),
];
