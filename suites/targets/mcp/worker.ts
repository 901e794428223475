import type { JsonObject } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import type { Listener, Worker } from "../connection/worker.ts";
import { answerFrom, answerTo } from "./answer.ts";
import { connect } from "./connect.ts";
import type { OutputJudge } from "./output.ts";
import type { McpServer } from "./server.ts";
import type { ListedTool } from "./tools.ts";

/** One call: its tool, its input, and the judge of its result. */
export interface ToolCall {
  tool: string;
  input: JsonObject;
  output: OutputJudge | undefined;
}

/** Starts a conversation as one life of a connection; `checkTools` sees the list of tools at the beginning, and whenever the server says that it changed. */
export async function startWorker(
  server: McpServer,
  listener: Listener,
  signal: AbortSignal,
  checkTools: (tools: readonly ListedTool[]) => void,
): Promise<Worker<ToolCall>> {
  let isStale = false;
  const connection = await connect(
    server,
    {
      lost: listener.lost,
      changed() {
        isStale = true;
      },
    },
    signal,
  );
  const listTools = async (): Promise<void> => checkTools(await connection.tools());
  try {
    await listTools();
  } catch (error) {
    connection.kill();
    throw error;
  }
  // A list that changed meanwhile is read again before the next call, so that endless notifications cost little.
  const ask = async (seq: number, { tool, input, output }: ToolCall): Promise<void> => {
    if (isStale) {
      isStale = false;
      try {
        await listTools();
      } catch (error) {
        return listener.lost("list-changed", (error as Error).message);
      }
    }
    const outcome = await connection.call(tool, input).then(
      (result) => {
        const answer = answerFrom(tool, result);
        const breach = answer.verdict === "accepted" ? output?.(result) : undefined;
        return breach === undefined || answer.verdict === undefined ? answer : { ...answer, breach };
      },
      (error: unknown) => answerTo(tool, error) ?? String(error),
    );
    if (typeof outcome === "string") listener.lost("send", `the call failed: ${quote(outcome, 400)}`);
    else listener.answered(seq, outcome);
  };
  return {
    ask: (seq, call) => void ask(seq, call),
    stop: connection.stop,
    kill: connection.kill,
  };
}
