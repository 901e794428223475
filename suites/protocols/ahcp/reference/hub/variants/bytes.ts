import { createHash } from "node:crypto";
import { canonical, type Json } from "../../../../../../schemas/index.ts";
import type { Happening } from "../journal.ts";
import { right } from "../policy.ts";
import { instant } from "../time.ts";
import { contextSigned } from "./signature.ts";
import { bodies, type HubVariant } from "./variant.ts";

/** UTF-8 that is read as Latin-1. */
const misread = <T>(value: T): T => JSON.parse(Buffer.from(JSON.stringify(value)).toString("latin1")) as T;

/** Numbers as they are with 15 digits, which many languages print. */
function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: Json) =>
    typeof each === "number" ? Number(each.toPrecision(15)) : each,
  ) as T;
}

/** Makes the digest of the canonical text after a change of it. */
function digesting(change: (text: string) => string): HubVariant["policy"] {
  return contextSigned((context, { ahcpSignature, body: { response = null, state = null } }) => ({
    ...context,
    payload_sha256: ahcpSignature.sha256(change(canonical({ response, state }))),
  }));
}

const isOpen = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "open";
const isTold = (happening: Happening): boolean => happening.event === "accepted" && happening.status === "delivered";

/** What is lost where bytes become texts and numbers, or the reverse. */
export const byteVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-DUR-001",
    name: "encoding",
    says: "reads its open messages after a restart as if they were Latin-1",
    policy: { records: (happening) => (isOpen(happening) ? misread(happening) : happening) },
  },
  {
    rule: "AHCP-DUR-001",
    name: "large",
    says: "forgets at a restart the open messages of more than 4 KiB",
    policy: {
      records: (happening) => (isOpen(happening) && JSON.stringify(happening).length > 4096 ? undefined : happening),
    },
  },
  {
    rule: "AHCP-DUR-002",
    name: "digits",
    says: "keeps 15 digits of the numbers of an outcome at a restart",
    policy: { records: (happening) => (happening.event === "ended" ? shortened(happening) : happening) },
  },
  {
    rule: "AHCP-DUR-003",
    name: "encoding",
    says: "reads its notifies after a restart as if they were Latin-1",
    policy: { records: (happening) => (isTold(happening) ? misread(happening) : happening) },
  },
  {
    rule: "AHCP-SIG-004",
    name: "latin-1",
    says: "makes the digest of the bytes of Latin-1 wherever these can hold the payload",
    policy: contextSigned((context, { body: { response = null, state = null } }) => {
      const text = canonical({ response, state });
      const encoding = /[^\u0000-\u00ff]/.test(text) ? "utf8" : "latin1";
      return { ...context, payload_sha256: createHash("sha256").update(text, encoding).digest("hex") };
    }),
  },
  {
    rule: "AHCP-SIG-004",
    name: "capital-hex",
    says: "escapes control characters in capital letters in the JSON that it signs",
    policy: digesting((text) => text.replace(/\\u00[01][0-9a-f]/g, (sign) => `\\u${sign.slice(2).toUpperCase()}`)),
  },
  {
    rule: "AHCP-SIG-005",
    name: "exact",
    says: "signs an integer that no double can hold with the digits with which it was submitted",
    policy: digesting((text) => text.replaceAll("9007199254740992", "9007199254740993")),
  },
  {
    rule: "AHCP-GET-001",
    name: "expired-task",
    says: "shows the request of a task once it has looked for its default",
    policy: bodies("read", (body) =>
      body.type === "task" && body.status === "expired" ? { ...body, request: {} } : body,
    ),
  },
  {
    rule: "AHCP-EXP-010",
    name: "fraction",
    says: "takes the digits of a fraction of a second for milliseconds",
    policy: {
      deadline(message, at) {
        const time = right.deadline(message, at);
        const [, digits = "0"] = /\.(\d+)/.exec(String(message.expires_at)) ?? [];
        const whole = instant(String(message.expires_at).replace(/\.\d+/, ""));
        return time === undefined || whole === undefined ? time : whole + Number(digits);
      },
    },
  },
  {
    rule: "AHCP-DLV-001",
    name: "unescaped",
    says: "posts to a path in which nothing is escaped that need not be",
    policy: {
      target: (url) =>
        right.target(url).replace(/%([2-7][0-9a-f])/gi, (octet, code: string) => {
          const sign = String.fromCharCode(Number.parseInt(code, 16));
          return /[\w.~-]/.test(sign) ? sign : octet;
        }),
    },
  },
];
