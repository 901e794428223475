import { isObject } from "../../../../../../schemas/index.ts";
import { invalid } from "../../../../../reference/service.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { instant } from "../time.ts";
import { bodies, type HubVariant, inner, replies } from "./variant.ts";

const year = 366 * 86_400_000;

/** What a hub takes, and what it says to that. */
export const submitVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-VER-002",
    says: "refuses another major as it would any malformed version",
    policy: { version: () => undefined },
  },
  {
    rule: "AHCP-VER-002",
    name: "ask",
    says: "takes an ask of any major version for one of its own",
    policy: {
      version(value) {
        if (!isObject(value) || value.type === "notify" || !/^[1-9]/.test(String(value.ahcp_version)))
          return right.version(value);
        value.ahcp_version = "0.3";
        return undefined;
      },
    },
  },
  {
    rule: "AHCP-VER-003",
    name: "task",
    says: "takes tasks of its own minor version alone",
    policy: {
      objects: ({ type, ahcp_version: version }) =>
        type === "task" && version !== "0.3" ? fault("version_not_supported", "tasks are new in 0.3") : undefined,
    },
  },
  {
    rule: "AHCP-VER-003",
    name: "integer",
    says: "holds a minor in an integer of 32 bits",
    policy: {
      objects: ({ ahcp_version: version }) =>
        Number(String(version).slice(2)) >= 2 ** 31 ? fault("validation_error", "the minor is too large") : undefined,
    },
  },
  {
    rule: "AHCP-VER-003",
    says: "knows no minor beyond its own",
    policy: {
      objects: ({ ahcp_version: version }) =>
        /^0\.([4-9]|\d\d)/.test(String(version)) ? fault("version_not_supported", "a version to come") : undefined,
    },
  },
  {
    rule: "AHCP-VER-004",
    says: "refuses a member of `agent` that it does not know",
    policy: {
      objects: (message) =>
        Object.keys(inner(message, "agent")).some((name) => !/^(id|run_id|runtime|project|labels)$/.test(name))
          ? fault("validation_error", "/agent has a member that is not known")
          : undefined,
    },
  },
  {
    rule: "AHCP-VER-004",
    name: "checklist",
    says: "refuses an item of a checklist with a member that it does not know",
    policy: {
      objects: (message) => {
        const { checklist } = inner(message, "action");
        const names = (Array.isArray(checklist) ? checklist : []).flatMap((item) => Object.keys(item as object));
        return names.every((name) => name === "text" || name === "done")
          ? undefined
          : fault("validation_error", "/action/checklist has a member that is not known");
      },
    },
  },
  {
    rule: "AHCP-VER-004",
    name: "loses",
    says: "shows no request of an ask with a member that it does not know",
    policy: {
      echo(message, entry) {
        const { request, ...rest } = right.echo(message, entry);
        return { ...rest, ...(request === undefined || "x_touchstone" in message ? {} : { request }) };
      },
    },
  },
  { rule: "AHCP-VER-005", says: "pushes to agents of before 0.3", policy: { pushes: () => true } },
  {
    rule: "AHCP-VER-005",
    name: "task",
    says: "pushes the outcome of a task to agents of before 0.3",
    policy: { pushes: (version, type) => version !== "0.2" || type === "task" },
  },
  {
    rule: "AHCP-VER-006",
    says: "takes nothing from agents of 0.2",
    policy: {
      objects: ({ ahcp_version: version }) =>
        version === "0.2" ? fault("version_not_supported", "too old") : undefined,
    },
  },
  {
    rule: "AHCP-VER-007",
    says: "takes a malformed version for an unknown one",
    policy: {
      version(value) {
        const version = isObject(value) ? value.ahcp_version : undefined;
        if (typeof version === "string" && /^0\.\d+$/.test(version)) return undefined;
        return invalid([{ at: "/ahcp_version", message: "is not known" }], "version_not_supported");
      },
    },
  },
  {
    rule: "AHCP-ENV-004",
    says: "refuses a message that was created long ago, or is yet to be",
    policy: {
      objects: ({ created_at: created }, { clock }) =>
        Math.abs((instant(String(created)) ?? 0) - clock.now()) > year
          ? fault("invalid_field", "/created_at is far from now")
          : undefined,
    },
  },
  {
    rule: "AHCP-ENV-021",
    says: "lets the agent choose the id",
    policy: { idFor: (message, hub) => (typeof message.id === "string" ? message.id : right.idFor(message, hub)) },
  },
  {
    rule: "AHCP-ENV-022",
    says: "shows again whatever an agent sent",
    policy: { echo: (message) => message },
  },
  {
    rule: "AHCP-ENV-022",
    name: "notify",
    says: "shows again whatever came with a notify",
    policy: { echo: (message, entry) => (message.type === "notify" ? message : right.echo(message, entry)) },
  },
  {
    rule: "AHCP-ENV-023",
    says: "takes an equal client_ref for a repetition",
    policy: {
      keyOf: (message) =>
        typeof message.client_ref === "string" ? JSON.stringify(["ref", message.client_ref]) : right.keyOf(message),
      isSame: (message, entry) => typeof message.client_ref === "string" || right.isSame(message, entry),
    },
  },
  {
    rule: "AHCP-ENV-024",
    says: "refuses a task that says how it is verified",
    policy: {
      objects: (message) =>
        inner(message, "action").verification === undefined
          ? undefined
          : fault("invalid_field", "/action/verification is not wanted"),
    },
  },
  {
    rule: "AHCP-ASK-010",
    says: "takes any default of a select",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-010" },
  },
  {
    rule: "AHCP-ASK-011",
    says: "takes any default of an input",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-011" },
  },
  {
    rule: "AHCP-ASK-012",
    says: "takes any default of a confirm",
    policy: { respects: ({ rule }) => rule !== "AHCP-ASK-012" },
  },
  {
    rule: "AHCP-ACK-001",
    says: "acknowledges with 200",
    policy: replies("submit", (reply) => ({ ...reply, status: 200 })),
  },
  {
    rule: "AHCP-ACK-002",
    says: "says more in an acknowledgement than there is room for",
    policy: bodies("submit", (body) => ({ ...body, message: "thank you" })),
  },
  {
    rule: "AHCP-ACK-003",
    says: "calls a notify open at first",
    policy: bodies("submit", (body) => ({ ...body, status: "open" })),
  },
  {
    rule: "AHCP-ACK-004",
    says: "gives a poll URL that leads nowhere",
    policy: {
      reply: (reply, { route }) =>
        (route === "submit" || route === "replay") && isObject(reply.body)
          ? { ...reply, body: { ...reply.body, poll_url: `${reply.body.poll_url}-` } }
          : reply,
    },
  },
  {
    rule: "AHCP-ACK-005",
    says: "gives a task that says how it is verified the id of the message before",
    policy: {
      idFor(message, hub) {
        const before =
          inner(message, "action").verification === undefined ? undefined : [...hub.store.entries.keys()].at(-1);
        return before ?? right.idFor(message, hub);
      },
    },
  },
];
