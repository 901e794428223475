import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { permitEnding } from "./inbox-room.ts";
import { describeChange, findFirstMissing } from "./lost-messages.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import { pushNeeds, pushRequestMembers, submitPush } from "./pushes.ts";
import {
  codeOf,
  idOf,
  inShort,
  isAccepted,
  isRefused,
  outcomeOf,
  post,
  readStored,
  redAnswer,
  resolveMessage,
  submit,
} from "./steps.ts";

async function sendMalformed(context: ScenarioContext, version: Json): Promise<void> {
  const reply = await post(context, notify(context, { ahcp_version: version }));
  const versionText = `the version ${JSON.stringify(version)}`;
  const code = codeOf(reply);
  context.expect("AHCP-VER-007", reply.status === 400, `${versionText} is not answered with 400: ${inShort(reply)}`);
  if (reply.status !== 400) return;
  const isUnsupported = code === "version_not_supported";
  // A hub may read the part before the first dot as an unknown major version.
  const mayBeUnsupported = typeof version === "string" && /^(1|1\.2\.3)$/.test(version);
  const mayBeParsed = typeof version === "string" && !/^0(\.3\.0)?$/.test(version);
  if (mayBeUnsupported && isUnsupported) return;
  const why = `${versionText} is malformed, but is not refused with validation_error: ${inShort(reply)}`;
  const level = mayBeParsed && isUnsupported ? "SHOULD" : undefined;
  context.expect("AHCP-VER-007", code === "validation_error", why, level);
}

/** A version with a minor number that does not fit into 64 bits. */
const beyondIntegers = "0.18446744073709551617";

const strayMember: JsonObject = { x_touchstone: { deep: [1, null] } };

/** The message without the undefined member, and without `created_at`, because a hub may change its spelling. */
function knownMembers(message: JsonObject): JsonObject {
  const names = new Set([...Object.keys(strayMember), "created_at"]);
  return JSON.parse(JSON.stringify(message, (name, value) => (names.has(name) ? undefined : value)));
}

export const versions: readonly Scenario[] = [
  {
    name: "versions-other-major",
    says: "a different major version is refused with version_not_supported, whatever else is wrong",
    rules: ["AHCP-VER-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const version of ["1.0", "2.7", "10.0"])
        for (const createMessage of [notify, ask, task]) {
          const validMessage = createMessage(context, { ahcp_version: version });
          for (const message of [validMessage, { ...validMessage, title: 7, priority: "none" }]) {
            const reply = await post(context, message);
            const why = `version ${version} of the ${validMessage.type} is not refused with 400 version_not_supported: ${inShort(reply)}`;
            context.expect("AHCP-VER-002", isRefused(reply, 400, "version_not_supported"), why);
          }
        }
    },
  },
  {
    name: "versions-minors",
    says: "every minor version of major 0 is accepted",
    rules: ["AHCP-VER-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const version of ["0.0", "0.9", "0.42", beyondIntegers])
        for (const createMessage of [notify, ask, task]) {
          const message = createMessage(context, { ahcp_version: version });
          const reply = await post(context, message);
          const why = `version ${version} of the ${message.type} is not accepted: ${inShort(reply)}`;
          context.expect("AHCP-VER-003", isAccepted(reply), why);
        }
    },
  },
  {
    name: "versions-unknown-members",
    says: "undefined members are ignored in every object",
    rules: ["AHCP-VER-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { agent, request } = ask(context) as { agent: JsonObject; request: JsonObject };
      const [first, ...otherOptions] = request.options as JsonObject[];
      const callback = { mode: "pull" };
      const uri = "https://files.example/a";
      const messagesWithStray: [objectName: string, message: JsonObject][] = [
        ["the message", ask(context, strayMember)],
        ["the agent", ask(context, { agent: { ...agent, ...strayMember } })],
        ["the request", ask(context, {}, strayMember)],
        ["an option", ask(context, {}, { options: [{ ...first, ...strayMember }, ...otherOptions] })],
        ["the callback", ask(context, {}, { callback: { ...callback, ...strayMember } })],
        ["a part", ask(context, { context: [{ kind: "text", text: "t", ...strayMember }] })],
        ["a file", ask(context, { context: [{ kind: "file", file: { uri, ...strayMember } }] })],
        ["the permissions", ask(context, {}, { permissions: { allow_respond: true, ...strayMember } })],
        ["the action", task(context, {}, strayMember)],
        ["an item of a checklist", task(context, {}, { checklist: [{ text: "Look.", ...strayMember }] })],
      ];
      const parts: JsonObject[] = [
        { kind: "text", text: "t" },
        { kind: "file", file: { uri } },
      ];
      const plainAsk = ask(context, { context: parts }, { callback, permissions: { allow_respond: true } });
      const baseline = await fitMessage(context, plainAsk);
      const { id } = await submit(context, baseline);
      // Other rules report members that a hub loses from every message.
      const isKept = findFirstMissing(await readStored(context, id), knownMembers(baseline)) === undefined;
      await submit(context, task(context, {}, { checklist: [{ text: "Look." }] }));
      for (const [objectName, largeMessage] of messagesWithStray) {
        const message = await fitMessage(context, largeMessage);
        const reply = await post(context, message);
        const why = `an undefined member of ${objectName} is not ignored: ${inShort(reply)}`;
        const id = idOf(reply);
        context.expect("AHCP-VER-004", isAccepted(reply) && id !== undefined, why);
        const stored = isKept && id !== undefined ? await readStored(context, id) : undefined;
        const changedPath = stored === undefined ? undefined : findFirstMissing(stored, knownMembers(message));
        const whyChanged = `with an undefined member of ${objectName} ${changedPath} of the message is changed: ${describeChange(changedPath, stored, knownMembers(message))}`;
        context.expect("AHCP-VER-004", changedPath === undefined, whyChanged);
        permitEnding(context);
      }
    },
  },
  {
    name: "versions-unknown-members-of-a-push",
    says: "undefined members are ignored if a push is requested",
    rules: ["AHCP-VER-004"],
    needs: [...pushNeeds],
    withinMs: 30_000,
    async play(context) {
      const { url } = await context.callback([200]);
      const { callback } = (await pushRequestMembers(context, url)) as { callback: JsonObject };
      await submitPush(context, ask(context, {}, { callback }));
      const messagesWithStray: [objectName: string, callback: JsonObject][] = [
        ["the callback", { ...callback, ...strayMember }],
        ["its auth", { ...callback, auth: { ...(callback.auth as JsonObject), ...strayMember } }],
      ];
      for (const [objectName, callback] of messagesWithStray) {
        const reply = await post(context, ask(context, {}, { callback }));
        const why = `an undefined member of ${objectName} is not ignored: ${inShort(reply)}`;
        context.expect("AHCP-VER-004", isAccepted(reply), why);
      }
    },
  },
  {
    name: "versions-older-with-pull",
    says: "a message of an older version without a push is accepted, resolved and read as usual",
    rules: ["AHCP-VER-006"],
    needs: ["resolve"],
    withinMs: 30_000,
    async play(context) {
      for (const request of [{}, { callback: { mode: "pull" } }]) {
        const reply = await post(context, ask(context, { ahcp_version: "0.2" }, request));
        const id = idOf(reply);
        context.expect("AHCP-VER-006", isAccepted(reply), `version 0.2 is not accepted: ${inShort(reply)}`);
        if (!isAccepted(reply) || id === undefined) continue;
        await resolveMessage(context, id, redAnswer);
        const { inner } = outcomeOf(await readStored(context, id));
        context.expect("AHCP-VER-006", inner.value === "red", "the outcome of a message of version 0.2 cannot be read");
      }
    },
  },
  {
    name: "versions-malformed",
    says: "a message with a version that is not MAJOR.MINOR is refused as malformed",
    rules: ["AHCP-VER-007"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const version of ["0", "0.3.0", 0.3, "x", "", "00.2", "v0.3", "1", "1.2.3"])
        await sendMalformed(context, version);
    },
  },
];
