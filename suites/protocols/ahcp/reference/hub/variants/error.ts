import { fault } from "../reply.ts";
import { megabyte } from "./change.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, memberObject } from "./variant.ts";

function isNotAnObject({ status, body }: { status: number; body?: unknown }): boolean {
  return status === 400 && /"message":"the document (?:body:|must be object)/.test(JSON.stringify(body));
}

/** Hubs that break a rule on errors. */
export const errorVariants: readonly HubVariant[] = [
  ...breaks("AHCP-ERR-001", {
    "": [
      "answers an error without its envelope",
      changeBodies("refusal", (body) => ({ error: memberObject(body, "error").code ?? "" })),
    ],
  }),
  ...breaks("AHCP-ERR-002", {
    "": [
      "answers 422 to an answer that does not fit the form, with an error code for 400",
      changeReplies("refusal", (reply) =>
        reply.status === 422 && JSON.stringify(reply.body).includes("does not satisfy the form")
          ? { ...fault("validation_error", "is not acceptable"), status: 422 }
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-ERR-003", {
    "media-type": [
      "answers 500 to a body of another media type",
      changeReplies("refusal", (reply) => (reply.status === 415 ? { ...reply, status: 500 } : reply)),
    ],
    megabyte: [
      "answers 500 to a message of more than a megabyte",
      {
        refuseContent: (message) =>
          JSON.stringify(message).length > megabyte
            ? { status: 500, body: { error: { code: "internal", message: "request body too large" } } }
            : undefined,
      },
    ],
    "": [
      "answers 500 to a body that is not an object",
      changeReplies("refusal", (reply) => (isNotAnObject(reply) ? { ...reply, status: 500 } : reply)),
    ],
  }),
  ...breaks("AHCP-ERR-004", {
    "": [
      "answers 400 to an unacceptable default",
      changeReplies("refusal", (reply) =>
        reply.status === 422 && JSON.stringify(reply.body).includes("/default_on_expire")
          ? fault("validation_error", "is not acceptable")
          : reply,
      ),
    ],
  }),
];
