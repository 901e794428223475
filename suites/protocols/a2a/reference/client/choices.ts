import type { JsonObject, LiveChoice } from "../../../../../schemas/index.ts";
import type { ClientPolicy } from "./client.ts";

/** A choice of a client and the decisions that it replaces. */
export interface ClientChoice extends Omit<LiveChoice, "side"> {
  policy(base: ClientPolicy): Partial<ClientPolicy>;
}

/** Changes each request, after the changes of earlier choices. */
function requestChange(change: ClientPolicy["changeRequest"]): ClientChoice["policy"] {
  return ({ changeRequest }) => ({ changeRequest: (request, call) => change(changeRequest(request, call), call) });
}

function delayChoice(milliseconds: number): ClientChoice {
  return {
    name: `acts-after-${milliseconds}`,
    kind: "tempo",
    factor: "acts",
    freedoms: [],
    says: `waits ${milliseconds} milliseconds before it carries out an order`,
    policy: () => ({ delay: milliseconds }),
  };
}

/** All choices of a correct client that the reference itself does not make. */
export const clientChoices: readonly ClientChoice[] = [
  {
    name: "numbers-as-ids",
    kind: "freedom",
    freedoms: [],
    says: "numbers its calls",
    policy: () => ({ createId: (count) => count }),
  },
  {
    name: "version-in-the-query",
    kind: "freedom",
    freedoms: ["version-of-a-request"],
    says: "names the version in the query",
    policy: requestChange(({ headers: { "a2a-version": version, ...headers }, ...request }) => ({
      ...request,
      headers,
      url:
        version === undefined
          ? request.url
          : `${request.url}${request.url.includes("?") ? "&" : "?"}A2A-Version=${version}`,
    })),
  },
  {
    name: "tenant-beside-the-path",
    kind: "freedom",
    freedoms: ["place-of-a-tenant"],
    says: "names the tenant in the query over HTTP+JSON",
    policy: requestChange((request, { endpoint: { binding, tenant } }) => {
      if (binding !== "HTTP+JSON" || tenant === undefined) return request;
      const text = encodeURIComponent(tenant);
      const url = request.url.replace(`/${text}/`, "/");
      return { ...request, url: `${url}${url.includes("?") ? "&" : "?"}tenant=${text}` };
    }),
  },
  {
    name: "calls-without-extensions",
    kind: "freedom",
    freedoms: [],
    says: "calls an agent whose required extension it lacks, and reports the refusal",
    policy: () => ({ callsWithoutExtension: true }),
  },
  {
    name: "subscribes-to-wait",
    kind: "freedom",
    freedoms: [],
    says: "subscribes to a task that waits",
    policy: ({ followOperation }) => ({
      followOperation: followOperation === undefined ? followOperation : "SubscribeToTask",
    }),
  },
  {
    name: "sends-more-headers",
    kind: "transport",
    freedoms: [],
    says: "adds its name and a trace to its headers",
    policy: requestChange((request) => ({
      ...request,
      headers: {
        ...request.headers,
        "user-agent": "somebody/1.0",
        traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
      },
    })),
  },
  {
    name: "names-its-charset",
    kind: "transport",
    freedoms: [],
    says: "names the character set of its bodies",
    policy: requestChange((request) => {
      const type = request.headers["content-type"];
      return type === undefined
        ? request
        : { ...request, headers: { ...request.headers, "content-type": `${type}; charset=utf-8` } };
    }),
  },
  {
    name: "members-in-another-order",
    kind: "transport",
    freedoms: [],
    says: "writes the members of its requests in reverse order",
    policy: requestChange((request) => ({
      ...request,
      body:
        request.body === undefined
          ? undefined
          : (Object.fromEntries(Object.entries(request.body as JsonObject).reverse()) as JsonObject),
    })),
  },
  ...[100, 700].map(delayChoice),
];
