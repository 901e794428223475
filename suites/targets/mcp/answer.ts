import { McpError } from "@modelcontextprotocol/sdk/types.js";
import {
  isObject,
  jsonObjectOf,
  type Observation,
  type Reason,
  TargetFailure,
  type Unavailable,
  unavailableOf,
} from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { reasonsFrom } from "../reasons.ts";
import { speechIn } from "./speech.ts";

/** The JSON-RPC code for invalid parameters: a refusal. */
export const invalidParams = -32602;
/** The code of a result that is marked as an error. */
export const errorResult = "isError";

/** Maximum number of characters examined of an error. */
const maxReadLength = 20_000;

/** Reads the verdict from the result of a call: accepted, or refused by an error result. Any other result is a failure. */
export function answerFrom(tool: string, result: Record<string, unknown>): Observation {
  if (isObject(result.task)) return failAt("answer", "it made the call a task, and its end is not awaited");
  if (result.isError !== true) return { verdict: "accepted", reasons: [] };
  const text = textIn(result.content);
  if (isUnknown(tool, text)) return unknownTool(text);
  return refuseWith(reasonsIn(errorResult, text));
}

/** Reads the verdict from an error in place of a result: refused if it is about the parameters, otherwise a failure. Undefined if the error is not an answer. */
export function answerTo(tool: string, error: unknown): Observation | undefined {
  const { code, text } = errorIn(error);
  if (code === invalidParams && isUnknown(tool, text)) return unknownTool(text);
  if (code === invalidParams) return refuseWith(reasonsIn(code, text));
  if (code === undefined) return undefined;
  return failAt(
    code === -32603 ? "internal-error" : "answer",
    `it answered with the error ${code}, which is not a refusal (${invalidParams}, or a result with isError): ${quote(text, 400)}`,
  );
}

/** Extracts the code and text of a JSON-RPC error, which over HTTP may be in the body of an error status. */
function errorIn(error: unknown): { code: number | undefined; text: string } {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxReadLength);
  if (error instanceof McpError) return { code: error.code, text: message.replace(/^MCP error -?\d+: /, "") };
  const body = /\{.*\}/s.exec(message)?.[0];
  const { error: jsonRpcError } = (body === undefined ? undefined : jsonObjectOf(body)) ?? {};
  if (!isObject(jsonRpcError)) return { code: undefined, text: message };
  const { code, message: errorMessage } = jsonRpcError as Record<string, unknown>;
  return { code: typeof code === "number" ? code : undefined, text: String(errorMessage ?? message) };
}

function refuseWith(reasons: Reason[]): Observation {
  return { verdict: "rejected", reasons, speech: speechIn(reasons) };
}

function unknownTool(text: string): Unavailable {
  return failAt("unknown-tool", `it lists the tool and does not know it: ${quote(text)}`);
}

function failAt(stage: string, problem: string): Unavailable {
  return unavailableOf(new TargetFailure("errored", stage, problem));
}

/** Whether the message says that the tool is unknown. It must not contain much else, because a tool may itself fail to find things. */
function isUnknown(tool: string, text: string): boolean {
  if (!text.includes(tool)) return false;
  const otherText = text
    .replace(tool, "")
    .replace(/^MCP error -?\d+: /, "")
    .replace(/[^A-Za-z]+/g, " ")
    .trim()
    .toLowerCase();
  return (
    /^((unknown|no such|unrecognized) tool|tool (is )?(not found|unknown|disabled|does not exist|not available)|tool)$/.test(
      otherText,
    ) && otherText !== "tool"
  );
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((part: unknown) =>
    isObject(part) && typeof part.text === "string" ? [part.text] : [],
  );
  return texts.join("\n").slice(0, maxReadLength);
}

/** Returns the whole message as a reason, and the issues of a validation library that it contains, which have locations. */
function reasonsIn(code: string | number, text: string): Reason[] {
  const [errorMessage = {}] = reasonsFrom([{ code, message: text.replace(/\s+/g, " ").trim() }]);
  return [errorMessage, ...reasonsFrom(issuesIn(text)).filter(({ at }) => at !== undefined)];
}

/** Finds the Zod issues that a text contains as JSON. */
export function issuesIn(text: string): Record<string, unknown>[] {
  const list = /\[.*\]/s.exec(text)?.[0];
  if (list === undefined) return [];
  try {
    const value: unknown = JSON.parse(list);
    return Array.isArray(value) ? value.filter((each) => isObject(each) && Array.isArray(each.path)) : [];
  } catch {
    return [];
  }
}
