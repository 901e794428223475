import { add } from "../../../../generators/index.ts";
import type { Cases, InvalidCase } from "../../../../schemas/index.ts";
import type { EventName } from "./event.ts";
import { event } from "./messages.ts";

const reveals = (name: string, path: string, says: string, text: string, level?: "SHOULD"): InvalidCase => ({
  name,
  says,
  change: add(path, text),
  ...(level === undefined ? {} : { level }),
});
const args = "/args_summary";
const chunk = "/chunk";

const calm = "Reset your password at the desk.";
/** Texts that are easily overlooked. */
const spoken: readonly [EventName, string][] = [
  ["agent.awaiting.confirmation", "action"],
  ["agent.awaiting.confirmation", "consequence"],
  ["agent.handoff.requested", "reason"],
  ["agent.session.errored", "remediation_hint"],
  ["agent.session.completed", "output_summary"],
  ["agent.session.cancelled", "partial_result"],
];
const spelt = (member: string): string => member.replace("_", "-");

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-TOOL-014",
    document: "agent.tool.invoked",
    valid: [
      {
        name: "arguments",
        at: args,
        says: "sums up harmless arguments",
        data: event("agent.tool.invoked", { args_summary: "quay town, length 10.4, risk-level low" }),
      },
      {
        name: "masked",
        at: args,
        says: "has the password masked",
        data: event("agent.tool.invoked", { args_summary: "user=ines password=**** api_key=<hidden> token=sk-…3f2a" }),
        edge: true,
      },
    ],
    invalid: [
      reveals("api-key", args, "contains an API key", "api_key=sk-AbC123dEf456GhI789jKl"),
      reveals("password", args, "contains a password", "user=ines password=curlew10"),
      reveals("password-in-json", args, "contains a password", '{"user":"ines","password":"curlew10"}', "SHOULD"),
      reveals(
        "password-in-address",
        args,
        "contains a password",
        "fetch https://ines:curlew10@harbour.example/tides",
        "SHOULD",
      ),
      reveals("in-a-summary", "/summary_detailed", "contains an access key", "Called with AKIAIOSFODNN7EXAMPLE."),
      reveals(
        "in-the-description",
        "/description",
        "contains a bearer token",
        "Authorization: Bearer q7Zt4wXk3m9PlD2eRv",
        "SHOULD",
      ),
      reveals("card", args, "contains what may be a card number", "card 4111 1111 1111 1111", "SHOULD"),
    ],
  },
  {
    rule: "AAEP-TOOL-014",
    document: "agent.tool.completed",
    valid: [
      {
        name: "error",
        at: "/error_message",
        says: "speaks of a password without telling it",
        data: event("agent.tool.completed", { status: "error", error_message: "Wrong password: try again" }),
        edge: true,
      },
    ],
    invalid: [
      reveals(
        "in-the-error",
        "/error_message",
        "contains an access token",
        "401 for ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
      ),
    ],
  },
  {
    rule: "AAEP-SEC-001",
    document: "agent.output.streaming",
    valid: [
      {
        name: "like-keys",
        at: chunk,
        says: "has words with sk- inside them",
        data: event("agent.output.streaming", {
          chunk: "The task-listwithaverylongname, the Desk-side and the risk-assessmentguidelines are on the desk. ",
        }),
        edge: true,
      },
      {
        name: "about-passwords",
        at: chunk,
        says: "speaks of passwords without giving one",
        data: event("agent.output.streaming", {
          chunk: "Reset your password: the token is in your letter. password=**** ",
        }),
        edge: true,
      },
      {
        name: "numbers",
        at: chunk,
        says: "has long numbers that are no card",
        data: event("agent.output.streaming", {
          chunk: "Booking 4111111111111112, berth 123-45-678, call 555-010-4477. ",
        }),
        edge: true,
      },
    ],
    invalid: [
      reveals("api-key", chunk, "contains an API key", "The key is sk-AbC123dEf456GhI7."),
      reveals("api-key-with-parts", chunk, "contains an API key", "(sk-proj-9f-AbC123dEf456GhI789)", "SHOULD"),
      reveals("access-key", chunk, "contains an access key", "AKIAIOSFODNN7EXAMPLE"),
      reveals(
        "access-token",
        chunk,
        "contains an access token",
        "Use ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 to log in.",
      ),
      reveals("private-key", chunk, "contains a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow"),
      reveals(
        "signed-token",
        chunk,
        "contains a signed token",
        "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJpbmVzIn0.Am24ax8sMlOp4Vx4",
        "SHOULD",
      ),
      reveals("password", chunk, "contains a password", "Log in with password=curlew10 and wait."),
      reveals("token", chunk, "contains a token", "https://harbour.example/?token=q7Zt4wXk3m9P", "SHOULD"),
      reveals("card", chunk, "contains what may be a card number", "Paid with 4111-1111-1111-1111.", "SHOULD"),
      reveals("card-unspaced", chunk, "contains what may be a card number", "Paid with 5555555555554444.", "SHOULD"),
      reveals(
        "card-of-thirteen-digits",
        chunk,
        "contains what may be a card number",
        "Paid with 4222222222222.",
        "SHOULD",
      ),
      reveals(
        "social-security",
        chunk,
        "contains what may be a social security number",
        "Yours is 123-45-6789.",
        "SHOULD",
      ),
    ],
  },
  {
    rule: "AAEP-SEC-001",
    document: "agent.awaiting.clarification",
    valid: [
      {
        name: "choices",
        says: "asks for no secret and tells none",
        data: event("agent.awaiting.clarification", {
          accepted_response_kinds: ["multiple_choice"],
          choices: [
            { value: "town", label: "Town quay" },
            { value: "north", label: "North quay" },
          ],
        }),
      },
    ],
    invalid: [
      reveals("in-the-question", "/question", "contains a password", "Is password=curlew10 still right?"),
      reveals("under-a-short-name", "/question", "contains a password", "Is pwd=curlew10 still right?", "SHOULD"),
      reveals("in-a-label", "/choices/1/label", "contains an API key", "Key sk-AbC123dEf456GhI789jKl"),
      reveals("in-a-translation", "/question_fr", "contains an API key", "Clé sk-AbC123dEf456GhI789jKl ?"),
    ],
  },
  {
    rule: "AAEP-SEC-001",
    document: "agent.progress.updated",
    valid: [
      {
        name: "description",
        at: "/progress/description",
        says: "is harmless",
        data: event("agent.progress.updated", { progress: { description: "Reading the tide table" } }),
      },
    ],
    invalid: [
      reveals(
        "in-the-description",
        "/progress/description",
        "contains a secret",
        "Calling with client_secret=q7Zt4wXk3m9P",
        "SHOULD",
      ),
    ],
  },
  ...spoken.map(
    ([document, member]): Cases => ({
      rule: "AAEP-SEC-001",
      document,
      valid: [
        { name: spelt(member), at: `/${member}`, says: "is harmless", data: event(document, { [member]: calm }) },
      ],
      invalid: [reveals(`in-${spelt(member)}`, `/${member}`, "contains a password", "Log in with password=curlew10.")],
    }),
  ),
];
