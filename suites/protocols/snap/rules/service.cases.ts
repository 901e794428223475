import { kept, patched } from "../../../../generators/index.ts";
import {
  type Cases,
  type Change,
  type InvalidCase,
  type Json,
  type JsonObject,
  pointer,
} from "../../../../schemas/index.ts";
import { a } from "./keys.ts";
import { replaced, request, said } from "./messages.ts";
import { missigned, mistakes } from "./mistakes.ts";
import { resigned } from "./signature.ts";

/** What the rules for calling a service are tried with. */
export function serviceCases(): Cases[] {
  return [recipients(), signatures(), calls()];
}

const call: JsonObject = { name: "tide_table", arguments: { pier: 42 } };

/** A call to a service, which has no address. */
function calling(payload: JsonObject, more: Record<string, Json | undefined> = {}): JsonObject {
  return { profile: "a2s", message: request("service/call", payload, { to: undefined, ...more }) };
}

function recipients(): Cases {
  const addressed = { profile: "base", message: request("message/send", { message: said }) };
  const to = (name: string, from: string): InvalidCase => ({
    ...replaced(name, "is that in which each message has a recipient", "/profile", "base"),
    from,
    at: "/profile",
  });
  return {
    rule: "SNAP-A2S-001",
    document: "service-message",
    valid: [
      kept("call", "has no recipient", "/message", calling(call)),
      kept(
        "testnet",
        "has no recipient, and a sender on testnet",
        "/message",
        calling(call, { from: a.address.test }),
        true,
      ),
      kept("addressed", "has a recipient all the same", "/message", { ...addressed, profile: "a2s" }, true),
      kept("base", "has a recipient", "/message", addressed),
    ],
    invalid: [to("call-in-base", "call"), { ...to("testnet-in-base", "testnet"), edge: true }],
  };
}

function signatures(): Cases {
  const data = calling(call);
  const { sig: _sig, ...message } = data.message as JsonObject;
  return {
    rule: "SNAP-A2S-002",
    document: "service-message",
    valid: [
      kept("empty-field", "is over seven fields, one of them empty", "/message/sig", data, true),
      kept("without-arguments", "is over seven fields, one of them empty", "/message/sig", calling({ name: "ping" })),
    ],
    invalid: mistakes
      .filter(({ rule }) => rule === "SNAP-A2S-002")
      .map(({ name, says }) => replaced(name, `was made ${says}`, "/message/sig", missigned(message, name, a.tweaked))),
  };
}

/** The change of a payload, and the signature that the changed message calls for. */
function changed(parent: JsonObject, ...changes: Change[]): Change[] {
  const made = pointer.at("/message", patched(parent, changes) ?? null) ?? null;
  return [...changes, { op: "replace", path: "/message/sig", value: (resigned(made) as JsonObject).sig }];
}

function calls(): Cases {
  const data = calling(call);
  const wrong = (name: string, says: string, change: Change): InvalidCase => ({
    name,
    says,
    change: changed(data, change),
  });
  const at = "/message/payload";
  return {
    rule: "SNAP-A2S-004",
    document: "service-message",
    valid: [
      kept("call", "names what to call, and passes arguments", at, data),
      kept("name-alone", "names what to call", at, calling({ name: "ping" }), true),
      kept("no-arguments", "passes arguments, none of them", at, calling({ name: "ping", arguments: {} }), true),
      kept("other-method", "says something, and calls nothing", at, {
        profile: "a2s",
        message: request("message/send", { message: said }),
      }),
    ],
    invalid: [
      { ...wrong("no-name", "is missing", { op: "remove", path: `${at}/name` }), edge: true },
      wrong("empty", "is empty", { op: "replace", path: at, value: {} }),
      wrong("name-null", "is null", { op: "replace", path: `${at}/name`, value: null }),
      wrong("name-object", "is an object", { op: "replace", path: `${at}/name`, value: { tool: "tide_table" } }),
      wrong("arguments-list", "is a list", { op: "replace", path: `${at}/arguments`, value: [42] }),
      wrong("arguments-text", "is a text", { op: "replace", path: `${at}/arguments`, value: '{"pier":42}' }),
      wrong("arguments-null", "is null", { op: "replace", path: `${at}/arguments`, value: null }),
    ],
  };
}
