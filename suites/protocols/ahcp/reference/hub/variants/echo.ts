import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { cutBytes, cutTo32Bits, isNumeric, mapped, withoutNull, withTexts } from "./change.ts";
import { bodies, type HubVariant, inner, without } from "./variant.ts";

/** Shows a list of a message after a change of it. */
function listed(name: string, change: (list: readonly Json[]) => Json[]): HubVariant["policy"] {
  return {
    echo(message, entry) {
      const shown = right.echo(message, entry);
      const list = shown[name];
      return { ...shown, ...(Array.isArray(list) ? { [name]: change(list) } : {}) };
    },
  };
}

const parsed = (text: string): Json => JSON.parse(text) as Json;

/** The agent of the last repetition of a message. */
const lastRun = new WeakMap<Entry, JsonObject>();

function showing(change: (shown: JsonObject) => JsonObject): HubVariant["policy"] {
  return { echo: (message, entry) => change(right.echo(message, entry)) };
}

function dataAsTexts(part: Json): Json {
  return isObject(part) && part.data !== undefined ? { ...part, data: withTexts(part.data) } : part;
}

/** Hubs that break a rule on the message that a read returns. */
export const echoVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-GET-003",
    name: "label-case",
    says: "shows the names of labels in lower case",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const agent = inner(shown, "agent");
        const labels = Object.entries(inner(agent, "labels")).map(([name, value]) => [name.toLowerCase(), value]);
        return {
          ...shown,
          agent: agent.labels === undefined ? agent : { ...agent, labels: Object.fromEntries(labels) },
        };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "label-dash",
    says: "shows the names of labels with underscores for dashes",
    policy: {
      echo(message, entry) {
        const { agent, ...shown } = right.echo(message, entry);
        const names = (_: string, value: Json): Json =>
          isObject(value)
            ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll("-", "_"), each]))
            : value;
        return { ...shown, agent: JSON.parse(JSON.stringify(agent), names) as Json };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "tag-case",
    says: "shows tags in lower case",
    policy: listed("tags", (tags) => tags.map((tag) => String(tag).toLowerCase())),
  },
  {
    rule: "AHCP-GET-003",
    name: "equal-parts",
    says: "shows Parts that are equal once",
    policy: listed("context", (parts) => [...new Set(parts.map((part) => JSON.stringify(part)))].map(parsed)),
  },
  {
    rule: "AHCP-GET-003",
    name: "long-body",
    says: "shows 4096 characters of a body",
    policy: {
      echo(message, entry) {
        const { body, ...shown } = right.echo(message, entry);
        return { ...shown, ...(typeof body === "string" ? { body: body.slice(0, 4096) } : {}) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "callback-url",
    says: "shows the URL of a callback tidied",
    policy: {
      echo(message, entry) {
        const { request, ...shown } = right.echo(message, entry);
        if (!isObject(request) || !isObject(request.callback) || request.callback.url === undefined)
          return right.echo(message, entry);
        const callback = { ...request.callback, url: new URL(String(request.callback.url)).href };
        return { ...shown, request: { ...request, callback } };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "ended",
    says: "does not show the body and the parts of an ended message",
    policy: bodies("read", (body) => (body.response === undefined ? body : without(body, "body", "context"))),
  },
  {
    rule: "AHCP-GET-003",
    name: "sensitive",
    says: "does not show the body of a sensitive message",
    policy: {
      echo: (message, entry) =>
        message.sensitive === true ? without(right.echo(message, entry), "body") : right.echo(message, entry),
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "title-bytes",
    says: "keeps 255 bytes of a title",
    policy: {
      echo: (message, entry) => ({ ...right.echo(message, entry), title: cutBytes(message.title, 255) }),
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "null-character",
    says: "keeps bodies without U+0000",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return shown.body === undefined ? shown : { ...shown, body: withoutNull(shown.body) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "trimmed-body",
    says: "keeps bodies without the white space around them",
    policy: {
      echo(message, entry) {
        const { body, ...rest } = right.echo(message, entry);
        return typeof body === "string" ? { ...rest, body: body.trim() } : rest;
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    says: "loses the tags",
    policy: { echo: (message, entry) => without(right.echo(message, entry), "tags") },
  },
  {
    rule: "AHCP-GET-003",
    name: "large",
    says: "shows an empty state for one of more than 4 KiB",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return JSON.stringify(shown.state ?? null).length > 4096 ? { ...shown, state: {} } : shown;
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "labels",
    says: "loses the labels of the agent",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return { ...shown, agent: without(inner(shown, "agent"), "labels") };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "verification",
    says: "loses how a task is verified",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return message.type === "task" ? { ...shown, action: without(inner(shown, "action"), "verification") } : shown;
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "other-run",
    says: "shows the run that has repeated a message last",
    policy: {
      isSame(message, entry) {
        const isSame = right.isSame(message, entry);
        if (isSame) lastRun.set(entry, inner(message, "agent"));
        return isSame;
      },
      echo: (message, entry) => ({
        ...right.echo(message, entry),
        agent: lastRun.get(entry) ?? inner(message, "agent"),
      }),
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "integers",
    says: "shows a state with its integers cut to 32 bits",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return shown.state === undefined ? shown : { ...shown, state: mapped(shown.state, cutTo32Bits) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "nulls",
    says: "drops null members in the parts of a message",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const present = (value: Json): Json =>
          isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value;
        return shown.context === undefined ? shown : { ...shown, context: mapped(shown.context, present) };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "labels-case",
    says: "keeps one of two labels that differ in case alone",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        const agent = inner(shown, "agent");
        const kept = new Map(Object.entries(inner(agent, "labels")).map((each) => [each[0].toLowerCase(), each]));
        return agent.labels === undefined
          ? shown
          : { ...shown, agent: { ...agent, labels: Object.fromEntries(kept.values()) } };
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "data-numbers",
    says: "keeps the numbers of a data Part as texts",
    policy: showing(({ context, ...shown }) => ({
      ...shown,
      ...(Array.isArray(context) ? { context: context.map(dataAsTexts) } : {}),
    })),
  },
  {
    rule: "AHCP-GET-003",
    name: "last-line",
    says: "keeps a body without the end of its last line",
    policy: showing((shown) => ({
      ...shown,
      ...(typeof shown.body === "string" ? { body: shown.body.replace(/\n$/, "") } : {}),
    })),
  },
  {
    rule: "AHCP-GET-003",
    name: "zero",
    says: 'loses members whose text is "0"',
    policy: showing((shown) => Object.fromEntries(Object.entries(shown).filter(([, each]) => each !== "0"))),
  },
  {
    rule: "AHCP-GET-003",
    name: "numeric",
    says: "keeps a client_ref that is written like a number as that is written shortest",
    policy: showing((shown) => ({
      ...shown,
      ...(isNumeric(shown.client_ref ?? null) ? { client_ref: String(Number(shown.client_ref)) } : {}),
    })),
  },
];
