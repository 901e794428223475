import { type Endpoint, type Json, type Protocol, TargetBreach } from "../../../schemas/index.ts";
import type { Response } from "../../http/send.ts";
import { covers } from "./described.ts";

/** Judges the bodies of answers by what a description says of them. */
export interface AnswerJudge {
  /** What is wrong with an answer; undefined when nothing is, or nothing is said of it. */
  breach(response: Response, endpoint: Endpoint): Promise<TargetBreach | undefined>;
}

/** Each schema is compiled when it is first needed. Wrong is only what two validators refuse, to whom formats are notes. */
export function answerJudge(protocol: Protocol): AnswerJudge {
  const known = new Map<string, Promise<(body: Json) => Promise<string | undefined>>>();
  return {
    async breach({ status, headers, body }, { described }) {
      const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
      const meant = described?.answers.filter((each) => covers(each.status, status)) ?? [];
      // The exact status comes before its class, and that before all others.
      const [best] = [...meant].sort((a, b) => rank(a.status) - rank(b.status));
      const answer = meant.find((each) => each.status === best?.status && isOf(each.type, type));
      if (answer === undefined || described === undefined || body === "") return undefined;
      const judge = known.get(answer.document) ?? judgeFor(protocol, answer.document);
      known.set(answer.document, judge);
      const value = parsed(body);
      const why = value === undefined ? "it is no JSON" : await (await judge)(value);
      if (why === undefined) return undefined;
      return new TargetBreach(described.rule, `the body of the answer (HTTP ${status}) is not as described: ${why}`);
    },
  };
}

function rank(status: string): number {
  return status === "default" ? 2 : status.endsWith("XX") ? 1 : 0;
}

/** Whether a media type is the documented one, which may leave parts open. */
function isOf(documented: string, type: string): boolean {
  const wanted = documented.split(";")[0]?.trim().toLowerCase() ?? "";
  return wanted === type || (wanted.includes("*") && /[/+]json$/.test(type));
}

async function judgeFor(protocol: Protocol, name: string): Promise<(body: Json) => Promise<string | undefined>> {
  const { oracleFor } = await import("../../../generators/index.ts");
  const document = protocol.profile.documents.find((each) => each.name === name);
  if (document === undefined) return async () => undefined;
  const oracle = await oracleFor(protocol.schemas, document.schema, "annotating");
  return async (body) => {
    if (oracle.judge(body).verdict !== "invalid") return undefined;
    const { validate } = await import("../../validate/validate.ts");
    const found = (await validate(protocol, name, body)).filter(({ site }) => site?.endsWith("/format") !== true);
    const [first] = found;
    return first === undefined ? "its schema refuses it" : `${first.at === "" ? "" : `${first.at}: `}${first.why}`;
  };
}

function parsed(body: string): Json | undefined {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}
