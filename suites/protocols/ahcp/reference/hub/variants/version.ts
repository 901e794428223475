import { isObject } from "../../../../../../schemas/index.ts";
import { refuseInvalid } from "../../../../../packs/reference/service.ts";
import { blockOf } from "../lifecycle.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import { fetchHere, fixNames } from "./change.ts";
import { breaks, type HubVariant, memberObject } from "./variant.ts";

/** Hubs that break a rule on versions and profiles of the protocol. */
export const versionVariants: readonly HubVariant[] = [
  ...breaks("AHCP-PRT-007", {
    "": [
      "fetches the files of a message when it is viewed",
      {
        onView({ context }) {
          for (const part of Array.isArray(context) ? context : [])
            if (isObject(part)) fetchHere(String(memberObject(part, "file").uri));
        },
      },
    ],
  }),
  ...breaks("AHCP-VER-002", {
    "": ["answers another major version like a malformed one", { refuseVersion: () => undefined }],
    ask: [
      "accepts an ask of any major version",
      {
        refuseVersion(value) {
          if (!isObject(value) || value.type === "notify" || !/^[1-9]/.test(String(value.ahcp_version)))
            return correctHubPolicy.refuseVersion(value);
          value.ahcp_version = "0.3";
          return undefined;
        },
      },
    ],
  }),
  ...breaks("AHCP-VER-003", {
    decimal: [
      "compares versions as decimal numbers, so that 0.10 comes before 0.3",
      { mayAskForPush: (version) => Number(version) >= 0.3 },
    ],
    text: [
      "compares versions as strings, so that 0.10 comes before 0.3",
      { mayAskForPush: (version) => version >= "0.3" },
    ],
    task: [
      "accepts tasks only in its own minor version",
      {
        refuseContent: ({ type, ahcp_version: version }) =>
          type === "task" && version !== "0.3" ? fault("version_not_supported", "tasks are new in 0.3") : undefined,
      },
    ],
    integer: [
      "stores a minor version in an integer of 32 bits",
      {
        refuseContent: ({ ahcp_version: version }) =>
          Number(String(version).slice(2)) >= 2 ** 31 ? fault("validation_error", "the minor is too large") : undefined,
      },
    ],
    "": [
      "refuses minor versions newer than its own",
      {
        refuseContent: ({ ahcp_version: version }) =>
          /^0\.([4-9]|\d\d)/.test(String(version))
            ? fault("version_not_supported", "the version is too new")
            : undefined,
      },
    ],
  }),
  ...breaks("AHCP-VER-004", {
    case: [
      "overwrites a member with its misspelled copy",
      {
        refuseSender(value) {
          fixNames(value, true);
          if (isObject(value)) fixNames(value.agent, true);
          return undefined;
        },
      },
    ],
    "": [
      "refuses an unknown member of `agent`",
      {
        refuseContent: (message) =>
          Object.keys(memberObject(message, "agent")).some((name) => !/^(id|run_id|runtime|project|labels)$/.test(name))
            ? fault("validation_error", "/agent has an unknown member")
            : undefined,
      },
    ],
    checklist: [
      "refuses an item of a checklist with an unknown member",
      {
        refuseContent: (message) => {
          const { checklist } = memberObject(message, "action");
          const names = (Array.isArray(checklist) ? checklist : []).flatMap((item) => Object.keys(item as object));
          return names.every((name) => name === "text" || name === "done")
            ? undefined
            : fault("validation_error", "/action/checklist has an unknown member");
        },
      },
    ],
    loses: [
      "omits the request of an ask with an unknown member",
      {
        shownMembers(message, entry) {
          const { request, ...members } = correctHubPolicy.shownMembers(message, entry);
          return { ...members, ...(request === undefined || "x_touchstone" in message ? {} : { request }) };
        },
      },
    ],
    auth: [
      "refuses an undefined member of a callback's auth",
      {
        refuseContent(message) {
          const auth = memberObject(memberObject(blockOf(message), "callback"), "auth");
          const unknownName = Object.keys(auth).find((name) => !["scheme", "secret_ref", "token_ref"].includes(name));
          return unknownName === undefined
            ? undefined
            : fault("validation_error", `/callback/auth/${unknownName} is unknown`);
        },
      },
    ],
  }),
  ...breaks("AHCP-VER-005", {
    one: ["refuses a push to version 0.2, but not to earlier ones", { mayAskForPush: (version) => version !== "0.2" }],
    "": ["pushes to agents older than 0.3", { mayAskForPush: () => true }],
    task: [
      "pushes the outcome of a task to agents older than 0.3",
      { mayAskForPush: (version, type) => version !== "0.2" || type === "task" },
    ],
  }),
  ...breaks("AHCP-VER-006", {
    "": [
      "refuses every message of version 0.2",
      {
        refuseContent: ({ ahcp_version: version }) =>
          version === "0.2" ? fault("version_not_supported", "too old") : undefined,
      },
    ],
  }),
  ...breaks("AHCP-VER-007", {
    "": [
      "answers a malformed version like an unsupported one",
      {
        refuseVersion(value) {
          const version = isObject(value) ? value.ahcp_version : undefined;
          if (typeof version === "string" && /^0\.\d+$/.test(version)) return undefined;
          return refuseInvalid([{ at: "/ahcp_version", message: "is not known" }], "version_not_supported");
        },
      },
    ],
  }),
];
